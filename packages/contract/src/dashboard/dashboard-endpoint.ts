import type { BodyOf, HttpCall, QueryOf, ResponseOf } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';

/** From least to most. Each may do what those before it may. */
export const ROLES = ['viewer', 'support', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What the path names, and so what the door looks up and checks before the handler runs. */
export type DashboardScope = 'public' | 'user' | 'company' | 'environment';

interface DashboardCall extends HttpCall {
  name: string;
  summary: string;
  /** Codes of this call alone; those of its scope are added by `dashboardErrorsOf`. */
  errors: readonly ErrorCode[];
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
  /** The least role that may. */
  role: Role;
  path: `/dashboard/api/companies/{company_id}` | `/dashboard/api/companies/{company_id}/${string}`;
}

interface EnvironmentEndpoint extends DashboardCall {
  scope: 'environment';
  role: Role;
  path: `/dashboard/api/games/{game_id}/{mode}` | `/dashboard/api/games/{game_id}/{mode}/${string}`;
}

/** One call of the dashboard. It is no part of the public API, and may change with the app that is served beside it. */
export type DashboardEndpoint = PublicEndpoint | UserEndpoint | CompanyEndpoint | EnvironmentEndpoint;

export const dashboardEndpoint = <const E extends DashboardEndpoint>(description: E): E => description;

/** Beside its own: what the door may answer before the handler runs. */
export function dashboardErrorsOf(call: DashboardEndpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(call.errors);
  if (call.scope !== 'public') codes.add('sign_in_required');
  if (call.method !== 'GET') codes.add('csrf_failed');
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

/** What a caller gives: every name in the path, the query and the body where there is one. */
export type DashboardRequest<E extends DashboardEndpoint> = ([PathNames<E['path']>] extends [never]
  ? unknown
  : { params: Record<PathNames<E['path']>, string> }) &
  (IsOptional<QueryOf<E>> extends true ? { query?: QueryOf<E> } : Given<'query', QueryOf<E>>) &
  (E extends { bodyOptional: true } ? { body?: BodyOf<E> } : Given<'body', BodyOf<E>>);

export type DashboardAnswer<E extends DashboardEndpoint> = ResponseOf<E>;

/** Endpoints by `METHOD path`: the browser names a call by its route, so that it needs nothing of this package but types. */
export type RoutesOf<Endpoints extends Record<string, DashboardEndpoint>> = {
  [Key in keyof Endpoints as `${Endpoints[Key]['method']} ${Endpoints[Key]['path']}`]: Endpoints[Key];
};
