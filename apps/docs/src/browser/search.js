const wordsOf = text =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(word => word.length > 2);

// Letters left out, added, changed or swapped; counted no further than the limit.
function distance(a, b, limit) {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[b.length];
}

const known = new WeakMap();
function vocabulary(index) {
  if (!known.has(index)) {
    const counts = new Map();
    for (const { page, heading, text } of index)
      for (const word of wordsOf(`${page} ${heading} ${text}`)) counts.set(word, (counts.get(word) ?? 0) + 1);
    known.set(index, counts);
  }
  return known.get(index);
}

// The nearest word of the documents; of equals the one that is used more.
function correct(index, word) {
  if (word.length < 4) return word;
  const limit = word.length < 6 ? 1 : 2;
  let best = { word, far: limit + 1, count: 0 };
  for (const [candidate, count] of vocabulary(index)) {
    const far = distance(word, candidate, limit);
    if (far < best.far || (far === best.far && far <= limit && count > best.count))
      best = { word: candidate, far, count };
  }
  return best.word;
}

function findExactly(index, words) {
  const hits = [];
  for (const entry of index) {
    const head = `${entry.page} ${entry.heading}`.toLowerCase();
    const text = entry.text.toLowerCase();
    let score = 0;
    for (const word of words) {
      if (head.includes(word)) score += entry.heading.toLowerCase().startsWith(word) ? 12 : 8;
      else if (text.includes(word)) score += 1;
      else {
        score = 0;
        break;
      }
    }
    if (score > 0) hits.push({ entry, score });
  }
  return hits
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 12)
    .map(({ entry }) => entry);
}

/** The sections that hold every word, nearest first; a word that no page knows is read as its nearest neighbor. */
export function find(index, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = findExactly(index, words);
  if (hits.length > 0 || words.length === 0) return hits;
  const isKnown = word =>
    index.some(({ page, heading, text }) => `${page} ${heading} ${text}`.toLowerCase().includes(word));
  return findExactly(
    index,
    words.map(word => (isKnown(word) ? word : correct(index, word))),
  );
}
