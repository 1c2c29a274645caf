import { randomId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { type NotificationKind, lifetimeOf } from './notification-lifetime.ts'
import { Toast, type ToastAction } from './toast.tsx'

export interface NotifyOptions {
  title?: ReactNode
  /** Stays until it is closed. Warnings and dangers always do (R013). */
  permanent?: boolean
  /** Replaces the notification with the same id. */
  id?: string
  /** An action button, e.g. undo; closes the notification. */
  action?: ToastAction
}

/** Shows toasts at the top right: `notify.success('Saved')`. Each call returns an id for `notify.close(id)`. */
export const notify = {
  success: (message: ReactNode, options?: NotifyOptions) => show('success', message, options),
  info: (message: ReactNode, options?: NotifyOptions) => show('info', message, options),
  warning: (message: ReactNode, options?: NotifyOptions) => show('warning', message, options),
  danger: (message: ReactNode, options?: NotifyOptions) => show('danger', message, options),
  close: (id: string) => notifications.hide(id),
  closeAll: () => notifications.clean(),
} as const

function show(kind: NotificationKind, message: ReactNode, options: NotifyOptions = {}): string {
  const { id = randomId(), title, action, permanent } = options
  const close = () => notifications.hide(id)
  // Hidden first, to restart the lifetime of a replaced toast.
  close()
  return notifications.show({
    id,
    autoClose: lifetimeOf(kind, { permanent, offersAction: action !== undefined }),
    // Dangers and warnings interrupt screen readers; others are announced politely.
    role: kind === 'danger' || kind === 'warning' ? 'alert' : 'status',
    message: <Toast kind={kind} title={title} message={message} action={action} onClose={close} />,
  })
}
