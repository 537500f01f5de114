/** The three steps of registration and which fields of the server's answer belong to which. */
export const STEPS = ['you', 'company', 'game'] as const;
export type RegisterStep = (typeof STEPS)[number];

export interface RegisterForm {
  email: string;
  password: string;
  name: string;
  company: string;
  game_url: string;
  game_name: string;
}

const FIELDS: Readonly<Record<RegisterStep, readonly string[]>> = {
  you: ['/email', '/password', '/name'],
  company: ['/company'],
  game: ['/game_url', '/game_name'],
};

/** The first step that has something to mend. */
export const stepOfIssues = (pointers: readonly string[]): RegisterStep | null =>
  STEPS.find(step => pointers.some(pointer => FIELDS[step].includes(pointer))) ?? null;

export const MIN_PASSWORD_CHARS = 10;

export type Gap = 'email' | 'password' | 'company' | 'game_url';

/** What can be said without asking the server. */
export function gapsOf(step: RegisterStep, form: RegisterForm): Gap[] {
  if (step === 'you') {
    const gaps: Gap[] = [];
    if (!/^\S+@\S+\.\S+$/.test(form.email.trim())) gaps.push('email');
    if (form.password.length < MIN_PASSWORD_CHARS) gaps.push('password');
    return gaps;
  }
  if (step === 'company') return form.company.trim() === '' ? ['company'] : [];
  return form.game_url.trim() === '' ? ['game_url'] : [];
}
