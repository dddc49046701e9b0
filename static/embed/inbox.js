// Messages of the page around the frame: checked, done in order, answered or refused.

import { nextFrame, post } from "./posts.js";

const VERSION = 1;
const BUDGET_MS = 8; // of a frame: a flood of messages leaves the page alive
const MOST_WAITING = 2_000;
const LONGEST = 60; // of what a reason repeats, in characters
const FIRST = ["lesson", "scenario", "ranks"]; // as in an address: they bring or change others
const ACCEPTED = ["notice.clamped", "notice.rounded", "notice.bandwidth_bounds"];

/** Listens; `answer(id, type)` hears of each message that was done. */
export function createInbox(session, answer) {
  const waiting = [];

  function hear(event) {
    if (event.source !== window.parent || !isOurs(event.data)) return;
    if (waiting.length >= MOST_WAITING) {
      refuse(event.data, refusal(`More than ${MOST_WAITING} messages wait.`));
      return;
    }
    waiting.push(event.data);
    if (waiting.length === 1) nextFrame(work);
  }
  function work() {
    const end_ms = performance.now() + BUDGET_MS;
    let view = null;
    do {
      view = obey(session, waiting[0], answer) ?? view;
      waiting.shift();
    } while (waiting.length && performance.now() < end_ms);
    if (view) session.show(view);
    if (waiting.length) nextFrame(work);
  }
  window.addEventListener("message", hear);
  return { destroy: () => window.removeEventListener("message", hear) };
}

/** Other scripts talk too: ours say which version they speak, or only name a theme. */
function isOurs(data) {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
  return Object.hasOwn(data, "overlap") || Object.keys(data).join() === "theme";
}

/** Do what a message asks for; the view to show, if that changes it. */
function obey(session, message, answer) {
  const { overlap = VERSION, type = "theme", id } = message;
  try {
    if (overlap !== VERSION) throw refusal(`This page speaks version ${VERSION} of its messages.`);
    if (!["undefined", "string", "number"].includes(typeof id)) throw refusal("An id is a text or a number.");
    if (typeof type !== "string" || !Object.hasOwn(ACTS, type)) throw refusal(`“${short(type)}” is no type of message.`);
    const view = ACTS[type](session, message);
    answer(id, type);
    return view;
  } catch (error) {
    refuse(message, error);
    return null;
  }
}

const ACTS = {
  set(session, { values, address }) {
    if ((values === undefined) === (address === undefined)) throw refusal("A set has either values or an address.");
    return address === undefined ? setValues(session, values) : setAddress(session, address);
  },
  get: () => null,
  reset: (session) => session.move({ type: "reset" }),
  theme: (session, { theme }) => setValues(session, { theme }),
};

/** Set one value, which changes all or nothing by itself, or several, tried elsewhere first. */
function setValues(session, values) {
  const entries = inOrder(values, session.view().state);
  if (entries.length > 1) setAll(session.trial(session.view().address), entries);
  return setAll(session, entries);
}

/** The view after all values are set, with what was said of each. Throws at a refused one. */
function setAll(session, entries) {
  const notices = [];
  let view = null;
  for (const [key, value] of entries) {
    view = session.move({ type: "set", key, value });
    if (view.notices.some((notice) => !ACCEPTED.includes(notice.key))) {
      throw refusal(`“${short(value)}” is no value of ${key}.`, key);
    }
    notices.push(...view.notices);
  }
  return { ...view, notices };
}

/** Keys and values that a page can have, those first that change others. */
function inOrder(values, state) {
  const isPlain = typeof values === "object" && values !== null && !Array.isArray(values);
  if (!isPlain || Object.keys(values).length === 0) throw refusal("Values are an object of keys and values.");
  for (const [key, value] of Object.entries(values)) {
    if (!Object.hasOwn(state, key)) throw refusal(`“${short(key)}” is no setting of this page.`, short(key));
    if (!["string", "number"].includes(typeof value)) throw refusal(`The value of ${key} is neither text nor a number.`, key);
  }
  const order = [...new Set([...FIRST, ...Object.keys(state)])];
  return order.filter((key) => Object.hasOwn(values, key)).map((key) => [key, values[key]]);
}

function setAddress(session, address) {
  if (typeof address !== "string") throw refusal("An address is a text.", "address");
  const { notices } = session.trial(address).view();
  const refused = notices.find((notice) => !ACCEPTED.includes(notice.key));
  if (refused) throw refusal(`The address can’t be used: ${refusedText(refused)}.`, refused.values?.key ?? "address");
  session.restart(address);
  return session.view();
}

function refusedText({ key, values = {} }) {
  if (key === "notice.bad_value") return `“${values.asked}” is no value of ${values.key}`;
  if (key === "notice.unknown_key") return `it holds unknown keys: ${values.names}`;
  return key === "notice.newer_version" ? "it is of a newer version" : "it holds too much";
}

function refusal(reason, key) {
  return Object.assign(new Error(reason), { key });
}

function refuse({ id }, { message, key = null }) {
  post("error", { reason: message, key }, ["string", "number"].includes(typeof id) ? id : undefined);
}

/** As it was sent, cut where a sentence would drown in it. */
function short(value) {
  const text = Object(value) === value ? "object" : String(value); // JSON can't hold all of them
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
