/** One address for each connection. Null: of the account that came with the program's settings. */
export const callbackUrl = (publicUrl: string, provider: string, companyId: string | null): string =>
  `${publicUrl}/gateways/${provider}${companyId === null ? '' : `/${companyId}`}`;
