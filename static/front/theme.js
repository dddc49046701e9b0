// Light or dark, as chosen or as the system prefers; and the colours that result.

/**
 * Keeps `data-theme` of `root` at "light" or "dark" and calls `onChange` when the
 * colours may differ: another choice, another preference of the system, print.
 */
export function createTheme(root, onChange) {
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"];
  const [dark, forced] = queries.map((query) => window.matchMedia(query));
  let chosen = "auto";
  let printing = false;

  function apply() {
    const preferred = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
    root.dataset.theme = printing ? "light" : preferred;
    onChange();
  }
  dark.addEventListener("change", apply);
  forced.addEventListener("change", apply);

  return {
    choose(theme) {
      if (theme === chosen && root.dataset.theme) return;
      chosen = theme;
      apply();
    },
    /** Other styles than those of a theme have changed colours. */
    again: apply,
    /** Paper is light, whatever is chosen. */
    print(isPrinting) {
      printing = isPrinting;
      apply();
    },
    destroy() {
      dark.removeEventListener("change", apply);
      forced.removeEventListener("change", apply);
    },
  };
}

const MIXED = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/;

/** Reads the colour of a role as `rgb(...)`, system colours and mixtures resolved. */
export function roleReader(root) {
  const probe = document.createElement("span");
  probe.className = "overlap-probe";
  root.append(probe);
  return (role) => {
    probe.style.color = `var(--overlap-${role})`;
    const colour = getComputedStyle(probe).color;
    const [, ...shares] = MIXED.exec(colour) ?? [];
    return shares.length ? `rgb(${shares.map((share) => Math.round(share * 255)).join(", ")})` : colour;
  };
}
