import { describe, expect, test } from 'vitest';
import { tokenInHash } from './auth-layout.tsx';
import { missingRegisterFields, stepOfIssues } from './register-form.ts';

describe('registration', () => {
  const form = { email: '', password: '', name: '', company: '', game_url: '', game_name: '', setup_code: '' };

  test('goes on only when the step is filled in', () => {
    expect(missingRegisterFields('you', form)).toEqual(['email', 'password']);
    expect(missingRegisterFields('you', { ...form, email: 'a@b.example', password: 'too short' })).toEqual([
      'password',
    ]);
    expect(missingRegisterFields('you', { ...form, email: 'a@b.example', password: 'long enough' })).toEqual([]);
    expect(missingRegisterFields('company', { ...form, company: '  ' })).toEqual(['company']);
    expect(missingRegisterFields('game', form)).toEqual(['game_url']);
    const linked = { ...form, game_url: 'https://play.google.com/store/apps/details?id=com.example.game' };
    expect([missingRegisterFields('game', linked), missingRegisterFields('game', linked, false)]).toEqual([
      [],
      ['game_name'],
    ]);
    expect(missingRegisterFields('game', { ...linked, game_name: 'Tiny Harvest' }, false)).toEqual([]);
  });

  test('goes back to the first step with an issue', () => {
    expect(stepOfIssues(['/game_url', '/password'])).toBe('you');
    expect(stepOfIssues(['/game_name'])).toBe('game');
    expect(stepOfIssues(['/nothing'])).toBeNull();
    expect(stepOfIssues([])).toBeNull();
  });
});

describe('the token of a mail link', () => {
  test('is read from behind the #, where no server log sees it', () => {
    expect(tokenInHash('#token=abc-1_2')).toBe('abc-1_2');
    expect(tokenInHash('token=abc')).toBe('abc');
    expect(tokenInHash('#other=1')).toBe('');
    expect(tokenInHash('')).toBe('');
  });
});
