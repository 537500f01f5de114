import type { BodyOf, HttpCall, QueryOf, ResponseOf } from '../endpoint.ts';
import type { ErrorCode } from '../errors/errors.ts';

/** From least to most powerful. Each role includes those before it. */
export const ROLES = ['viewer', 'support', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What the path names. The server looks it up and checks access before the handler runs. */
export type DashboardScope = 'public' | 'user' | 'company' | 'environment';

/**
 * The user must have given the password or a passkey in the last minutes, which the server checks before the handler
 * runs: always, unless the body contains the password, or only if the body contains one of these fields.
 */
export type Confirms = 'always' | 'unless_password' | { fields: readonly string[] };

interface DashboardCall extends HttpCall {
  name: string;
  summary: string;
  /** Codes specific to this call; `dashboardErrorsOf` adds those of its scope. */
  errors: readonly ErrorCode[];
  confirms?: Confirms;
}

interface PublicEndpoint extends DashboardCall {
  scope: 'public';
  path: `/dashboard/api/${string}`;
}

interface UserEndpoint extends DashboardCall {
  scope: 'user';
  path: `/dashboard/api/me` | `/dashboard/api/me/${string}`;
}

interface CompanyEndpoint extends DashboardCall {
  scope: 'company';
  /** The lowest role that is allowed. */
  role: Role;
  path: `/dashboard/api/companies/{company_id}` | `/dashboard/api/companies/{company_id}/${string}`;
}

interface EnvironmentEndpoint extends DashboardCall {
  scope: 'environment';
  role: Role;
  path: `/dashboard/api/games/{game_id}/{mode}` | `/dashboard/api/games/{game_id}/{mode}/${string}`;
}

/** A dashboard call. It is not part of the public API and can change together with the app it serves. */
export type DashboardEndpoint = PublicEndpoint | UserEndpoint | CompanyEndpoint | EnvironmentEndpoint;

export const dashboardEndpoint = <const E extends DashboardEndpoint>(description: E): E => description;

/** Lists the call's own codes and those that the server returns before the handler runs. */
export function dashboardErrorsOf(call: DashboardEndpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(call.errors);
  if (call.scope !== 'public') codes.add('sign_in_required');
  if (call.method !== 'GET') codes.add('csrf_failed');
  if (call.confirms) codes.add('confirmation_required');
  if (call.confirms === 'unless_password') codes.add('password_wrong');
  if (call.scope === 'user') codes.add('sso_session');
  if (call.scope === 'company' || call.scope === 'environment') codes.add('second_factor_required').add('sso_required');
  if (call.scope === 'company') codes.add('company_not_found');
  if (call.scope === 'environment') codes.add('game_not_found');
  if ('role' in call && call.role !== 'viewer') codes.add('role_too_low');
  return [...codes];
}

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

type Given<Key extends string, Value> = [Value] extends [Record<string, never>] ? unknown : { [K in Key]: Value };

type IsOptional<T> = Record<string, never> extends T ? true : false;

/** The caller’s input: path parameters, query, and a body if the call has one. */
export type DashboardRequest<E extends DashboardEndpoint> = ([PathNames<E['path']>] extends [never]
  ? unknown
  : { params: Record<PathNames<E['path']>, string> }) &
  (IsOptional<QueryOf<E>> extends true ? { query?: QueryOf<E> } : Given<'query', QueryOf<E>>) &
  (E extends { file: object } ? { file: { type: string } } : unknown) &
  (E extends { bodyOptional: true } ? { body?: BodyOf<E> } : Given<'body', BodyOf<E>>);

export type DashboardAnswer<E extends DashboardEndpoint> = ResponseOf<E>;

/** Endpoints by `METHOD path`: the browser names calls by route, so it needs only types from this package. */
export type RoutesOf<Endpoints extends Record<string, DashboardEndpoint>> = {
  [Key in keyof Endpoints as `${Endpoints[Key]['method']} ${Endpoints[Key]['path']}`]: Endpoints[Key];
};
