import {
  type Icon,
  IconAddressBook,
  IconBolt,
  IconBuilding,
  IconChartHistogram,
  IconLayoutDashboard,
  IconPlugConnected,
  IconReceipt,
  IconRepeat,
  IconSend,
  IconServerCog,
  IconShieldCheck,
  IconTemplate,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'

export interface NavigationEntry {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
}

/** A product area and the screens in its menu; an area with one screen is rendered as a link. */
export interface NavigationArea {
  key: string
  icon: Icon
  entries: readonly NavigationEntry[]
}

/** Areas of the sidebar in the order of the work: sending, audience, reports, operations. */
export const navigation: readonly NavigationArea[] = [
  area('dashboard', IconLayoutDashboard, ['/dashboard']),
  area('campaigns', IconSend, [
    '/campaigns/archive',
    '/campaigns/calendar',
    '/campaigns/categories',
    '/campaigns/frequency-caps',
  ]),
  area('recurring', IconRepeat, ['/recurring/archive', '/recurring/reports']),
  area('transactional', IconBolt, ['/transactionals/archive']),
  area('content', IconTemplate, [
    '/templates/archive',
    '/templates/catalog',
    '/templates/placeholders',
    '/templates/file-manager',
  ]),
  area('audience', IconAddressBook, [
    '/subscribers/archive',
    '/subscribers/segments',
    '/settings/datasources',
    '/subscribers/dataupload',
    '/subscribers/web-forms',
    '/subscribers/doi-report',
    '/subscribers/testsubscribers',
    '/subscribers/blacklistscampaign',
    '/subscribers/blacklistsglobal',
    '/subscribers/blacklistsmulti',
    '/subscribers/address-check',
  ]),
  area('reports', IconChartHistogram, ['/campaigns/reports', '/campaigns/reportgroups', '/downloads']),
  area('deliverability', IconShieldCheck, [
    '/settings/domains',
    '/settings/domain-setup',
    '/settings/mailclasses',
    '/settings/pmtemplates',
    '/settings/testmailboxes',
    '/settings/alerts',
  ]),
  {
    key: 'esps',
    icon: IconPlugConnected,
    entries: [
      { to: '/external-esps/settings/$esp', params: { esp: 'smtp' } },
      { to: '/external-esps/senders/$esp', params: { esp: 'smtp' } },
      { to: '/external-esps/replacers/$esp', params: { esp: 'smtp' } },
    ],
  },
  area('billing', IconReceipt, ['/billing/sendvolume', '/billing/agb', '/billing/bav']),
  area('platform', IconBuilding, ['/users', '/settings/clients', '/settings/webhooks', '/messages', '/help']),
  area('system', IconServerCog, [
    '/system/testbed',
    '/system/clients',
    '/system/roles',
    '/system/permissions',
    '/system/audit-log',
    '/system/installation',
    '/system/apphosts',
    '/system/clustermailclasses',
    '/system/ipallocation',
    '/system/providers',
    '/system/scd-rules',
    '/system/microsoft-snds',
    '/system/blacklistsinternal',
    '/system/agbs',
    '/system/bavs',
    '/system/downloadtemplates',
    '/system/sqltemplates',
    '/system/guided-tours',
    '/system/translations',
  ]),
]

function area(key: string, icon: Icon, paths: readonly NonNullable<LinkProps['to']>[]): NavigationArea {
  return { key, icon, entries: paths.map(to => ({ to })) }
}
