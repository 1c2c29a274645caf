import { screen } from '../../shell/layout/screen.tsx'

export const webhookRoutes = [
  screen('/settings/webhooks', {
    title: 'screens.webhooks',
    entity: 'Webhook',
    load: () => import('./webhook-list.tsx'),
  }),
  screen('/settings/webhooks/edit/$id', {
    title: 'screens.webhook',
    entity: 'Webhook',
    load: () => import('./webhook-edit.tsx'),
  }),
] as const
