/** The API takes null for an empty field. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** True while the form equals what is saved, so there is nothing to save. */
export const isSame = <Form extends object>(form: Form, saved: { readonly [Key in keyof Form]: unknown }): boolean =>
  (Object.keys(form) as (keyof Form)[]).every(key => form[key] === saved[key]);

export const filledIn = <Form extends Readonly<Record<string, string>>>(form: Form): Partial<Form> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([key, text]) => (text.trim() === '' ? [] : [[key, text.trim()]])),
  ) as Partial<Form>;

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
