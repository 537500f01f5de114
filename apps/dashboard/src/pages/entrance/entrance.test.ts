import { describe, expect, test } from 'vitest';
import { tokenOfAddress } from './entrance.tsx';
import { gapsOf, stepOfIssues } from './register-form.ts';

describe('registration', () => {
  const form = { email: '', password: '', name: '', company: '', game_url: '', game_name: '' };

  test('goes on only when the step is filled in', () => {
    expect(gapsOf('you', form)).toEqual(['email', 'password']);
    expect(gapsOf('you', { ...form, email: 'a@b.example', password: 'too short' })).toEqual(['password']);
    expect(gapsOf('you', { ...form, email: 'a@b.example', password: 'long enough' })).toEqual([]);
    expect(gapsOf('company', { ...form, company: '  ' })).toEqual(['company']);
    expect(gapsOf('game', form)).toEqual(['game_url']);
    const linked = { ...form, game_url: 'https://play.google.com/store/apps/details?id=com.example.game' };
    expect([gapsOf('game', linked), gapsOf('game', linked, false)]).toEqual([[], ['game_name']]);
    expect(gapsOf('game', { ...linked, game_name: 'Tiny Harvest' }, false)).toEqual([]);
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
    expect(tokenOfAddress('#token=abc-1_2')).toBe('abc-1_2');
    expect(tokenOfAddress('token=abc')).toBe('abc');
    expect(tokenOfAddress('#other=1')).toBe('');
    expect(tokenOfAddress('')).toBe('');
  });
});
