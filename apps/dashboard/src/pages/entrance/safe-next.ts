/** A `next` that leads out of the app is not followed. */
export const safeNext = (next: string | undefined): string | null =>
  next !== undefined && /^\/(?:dashboard\/)?g\/[^\\]*$/.test(next) ? next.replace(/^\/dashboard/, '') : null;
