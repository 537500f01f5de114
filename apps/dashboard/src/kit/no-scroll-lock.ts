import type { ReactNode } from 'react';

/**
 * Stands in for `react-remove-scroll`, which Radix loads for modal menus. Ours are not modal, and the original writes a
 * style element into the page, which the content security policy forbids.
 */
export const RemoveScroll = ({ children }: { children?: ReactNode }): ReactNode => children;
