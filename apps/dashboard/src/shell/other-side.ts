/** The same page in the other environment; a page about one thing goes back to its list, as the thing is not there. */
export function otherSide(path: string, mode: 'live' | 'sandbox'): string {
  const [, , gameId = '', , first, second] = path.split('/');
  const deep = first === 'integration' || first === 'settings';
  return ['', 'g', gameId, mode, ...(first ? [first] : []), ...(deep && second ? [second] : [])].join('/');
}
