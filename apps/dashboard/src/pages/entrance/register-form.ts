/** The three steps of registration and the fields of each. */
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

/** The first step with an issue. */
export const stepOfIssues = (pointers: readonly string[]): RegisterStep | null =>
  STEPS.find(step => pointers.some(pointer => FIELDS[step].includes(pointer))) ?? null;

export const MIN_PASSWORD_CHARS = 10;

export type Gap = 'email' | 'password' | 'company' | 'game_url' | 'game_name';

/** What is missing before the server needs to be asked. `isNamed`: the link says what the game is called. */
export function gapsOf(step: RegisterStep, form: RegisterForm, isNamed = true): Gap[] {
  if (step === 'you') {
    const gaps: Gap[] = [];
    if (!/^\S+@\S+\.\S+$/.test(form.email.trim())) gaps.push('email');
    if (form.password.length < MIN_PASSWORD_CHARS) gaps.push('password');
    return gaps;
  }
  if (step === 'company') return form.company.trim() === '' ? ['company'] : [];
  if (form.game_url.trim() === '') return ['game_url'];
  return isNamed || form.game_name.trim() !== '' ? [] : ['game_name'];
}
