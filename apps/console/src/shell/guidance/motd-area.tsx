import { type ShownMotd, dismissMotd } from '@emma/contract/actions/guidance.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { showError } from '../i18n/error-text.ts'
import { CleanHtml } from './clean-html.tsx'
import { refreshGuidance } from './guidance-query.ts'
import { inLanguage } from './in-language.ts'
import { MotdBanner } from './motd-banner.tsx'

interface MotdAreaProps {
  messages: readonly ShownMotd[]
  /** Called before the server confirms. */
  onClose: (id: number) => void
}

/** True for messages shown as a modal. */
export function isModal({ modal_size }: ShownMotd): boolean {
  return modal_size !== null
}

/** Messages of the day (R236): banners above the screen, and modals one after the other. Dismissals are permanent. */
export function MotdArea({ messages, onClose }: MotdAreaProps): ReactNode {
  const { t, i18n } = useTranslation()
  const modal = messages.find(isModal)
  const banners = messages.filter(message => !isModal(message))

  function dismiss({ id }: ShownMotd): void {
    onClose(id)
    api.call(dismissMotd, { params: { id } }).then(refreshGuidance, showError)
  }

  return (
    <>
      {banners.map(message => (
        <MotdBanner key={message.id} message={message} onDismiss={() => dismiss(message)} />
      ))}
      {modal && (
        <Dialog
          isOpen
          isStatic
          size={modal.modal_size ?? 'lg'}
          title={inLanguage(modal, 'title', i18n.resolvedLanguage)}
          onClose={() => dismiss(modal)}
        >
          <CleanHtml html={inLanguage(modal, 'html', i18n.resolvedLanguage)} />
          <Group justify="flex-end" mt="lg">
            <Button data-autofocus onClick={() => dismiss(modal)}>
              {t('messages.understood')}
            </Button>
          </Group>
        </Dialog>
      )}
    </>
  )
}
