import { canCompress } from '@emma/client/encode-body.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'
import { unreachableId } from '../i18n/error-text.ts'

const offlineId = 'offline'

/** Notifies when the connection is lost or restored, and when the browser lacks a required feature (R140). */
export function watchConnectivity(): void {
  window.addEventListener('offline', () => {
    if (document.hasFocus()) notify.warning(t('misc.offline_msg'), { id: offlineId })
  })
  window.addEventListener('online', () => {
    notify.close(offlineId)
    notify.close(unreachableId)
    notify.success(t('misc.online_msg'))
  })
  if (typeof ReadableStream !== 'function' || !canCompress()) notify.danger(t('misc.browser_compat_msg'))
}
