import type { LinkProps } from '@tanstack/react-router'

/** `g`, then a letter: the screens that people go to all day. The letter is the one most would guess in English. */
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
