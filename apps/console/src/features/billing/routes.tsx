import type { LegalKind } from '@emma/contract/legal-document.ts'
import { createElement, type ReactNode } from 'react'
import { outsideSessionScreen, screen } from '../../shell/layout/screen.tsx'

type KindScreen = (props: { kind: LegalKind }) => ReactNode

/** Terms and data-processing agreements have the same screens. */
function of(kind: LegalKind, load: () => Promise<{ default: KindScreen }>) {
  return async () => {
    const { default: Screen } = await load()
    return { default: () => createElement(Screen, { kind }) }
  }
}

const documentList = () => import('./documents/document-list.tsx')
const documentEdit = () => import('./documents/document-edit.tsx')
const currentDocument = () => import('./documents/current-document.tsx')
const acceptDocument = () => import('./documents/accept-document.tsx')

export const billingRoutes = [
  screen('/billing/agb', { title: 'screens.terms', load: of('agb', currentDocument) }),
  screen('/billing/bav', { title: 'screens.processing_agreement', load: of('bav', currentDocument) }),
  screen('/billing/sendvolume', {
    title: 'screens.send_volume',
    permissions: ['SendVolume:get'],
    load: () => import('./send-volume/send-volume.tsx'),
  }),
  screen('/system/agbs', {
    title: 'screens.terms_versions',
    superadmin: true,
    load: of('agb', documentList),
  }),
  screen('/system/agbs/edit/$id', {
    title: 'screens.terms_version',
    superadmin: true,
    load: of('agb', documentEdit),
  }),
  screen('/system/bavs', {
    title: 'screens.processing_versions',
    superadmin: true,
    load: of('bav', documentList),
  }),
  screen('/system/bavs/edit/$id', {
    title: 'screens.processing_version',
    superadmin: true,
    load: of('bav', documentEdit),
  }),
] as const

/** Agreements that must be accepted before the console can be used. */
export const confirmationRoutes = [
  outsideSessionScreen('/accept-agb', { title: 'screens.accept_terms', load: of('agb', acceptDocument) }),
  outsideSessionScreen('/accept-bav', {
    title: 'screens.accept_processing',
    load: of('bav', acceptDocument),
  }),
] as const
