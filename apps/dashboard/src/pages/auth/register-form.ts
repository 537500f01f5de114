export const REGISTER_STEPS = ['you', 'company', 'game'] as const;
export type RegisterStep = (typeof REGISTER_STEPS)[number];

export interface RegisterForm {
  email: string;
  password: string;
  name: string;
  company: string;
  game_url: string;
  game_name: string;
  setup_code: string;
}

const FIELDS: Readonly<Record<RegisterStep, readonly string[]>> = {
  you: ['/setup_code', '/email', '/password', '/name'],
  company: ['/company'],
  game: ['/game_url', '/game_name'],
};

export const stepOfIssues = (pointers: readonly string[]): RegisterStep | null =>
  REGISTER_STEPS.find(step => pointers.some(pointer => FIELDS[step].includes(pointer))) ?? null;

const MIN_PASSWORD_CHARS = 10;

export type MissingField = 'email' | 'password' | 'company' | 'game_url' | 'game_name' | 'setup_code';

/**
 * Lists the fields that are missing before the server is called. `isNamed` means that the link already contains the
 * game's name.
 */
export function missingRegisterFields(step: RegisterStep, form: RegisterForm, isNamed = true): MissingField[] {
  if (step === 'you') {
    const missing: MissingField[] = [];
    if (!/^\S+@\S+\.\S+$/.test(form.email.trim())) missing.push('email');
    if (form.password.length < MIN_PASSWORD_CHARS) missing.push('password');
    return missing;
  }
  if (step === 'company') return form.company.trim() === '' ? ['company'] : [];
  if (form.game_url.trim() === '') return ['game_url'];
  return isNamed || form.game_name.trim() !== '' ? [] : ['game_name'];
}
