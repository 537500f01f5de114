/** Text from outside, made safe for a header or a line of its own: whatever breaks or hides a line becomes one space. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
