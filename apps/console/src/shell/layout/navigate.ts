import type { LinkProps } from '@tanstack/react-router'

/** Screens opened by `g` and a letter that suggests the English name. */
export const goTo: Readonly<Record<string, NonNullable<LinkProps['to']>>> = {
  d: '/dashboard',
  c: '/campaigns/archive',
  t: '/templates/archive',
  s: '/subscribers/archive',
  l: '/subscribers/segments',
  u: '/subscribers/dataupload',
  r: '/campaigns/reports',
  o: '/settings/domains',
  m: '/settings/mailclasses',
  p: '/users',
  h: '/help',
}
