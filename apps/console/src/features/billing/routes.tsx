import { outsideSessionScreen, screen } from '../../shell/layout/screen.tsx'

export const billingRoutes = [
  screen('/billing/agb', { title: 'screens.terms' }),
  screen('/billing/bav', { title: 'screens.processing_agreement' }),
  screen('/billing/sendvolume', { title: 'screens.send_volume', permissions: ['SendVolume:get'] }),
  screen('/system/agbs', { title: 'screens.terms_versions', superadmin: true }),
  screen('/system/agbs/edit/$id', { title: 'screens.terms_version', superadmin: true }),
  screen('/system/bavs', { title: 'screens.processing_versions', superadmin: true }),
  screen('/system/bavs/edit/$id', { title: 'screens.processing_version', superadmin: true }),
] as const

/** Agreements that must be accepted before the console can be used. */
export const confirmationRoutes = [
  outsideSessionScreen('/accept-agb', { title: 'screens.accept_terms' }),
  outsideSessionScreen('/accept-bav', { title: 'screens.accept_processing' }),
] as const
