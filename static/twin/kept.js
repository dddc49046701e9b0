// What was worked out last, so that it is the same object while nothing of it changes.

/** `kept(key, make)`: what `make` gave for this key, among the last `count` of them. */
export function createKept(count) {
  const values = new Map();
  return (key, make) => {
    const value = values.has(key) ? values.get(key) : make();
    values.delete(key);
    values.set(key, value);
    if (values.size > count) values.delete(values.keys().next().value);
    return value;
  };
}
