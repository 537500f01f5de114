const LONGEST = 254;
const LOCAL_LONGEST = 64;
// One mailbox and nothing else: no list, no display name, no quoting, no comment, no address literal, no control character.
const LOCAL = /^[^\s@<>()[\]\\,;:"\p{C}]+$/u;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** An address that can be put in a header and an envelope as it is. Contents of every script are welcome. */
export function isMailAddress(text: string): boolean {
  if (text.length > LONGEST) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  return local.length <= LOCAL_LONGEST && LOCAL.test(local) && DOMAIN.test(text.slice(at + 1));
}
