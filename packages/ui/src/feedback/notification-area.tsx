import { Button, Portal } from '@mantine/core'
import { Notifications, useNotifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { fadeDuration, layers, notificationLifetime, notificationWidth } from '../theme/timings.ts'
import { useTranslate } from '../i18n.tsx'
import { notify } from './notify.tsx'
import classes from './toast.module.css'

/** Container of notifications: top right, 350 px wide, with a button that closes all (R013). */
export function NotificationArea(): ReactNode {
  const t = useTranslate()
  const isCrowded = useNotifications().notifications.length > 1
  return (
    <>
      <Notifications
        position="top-right"
        containerWidth={notificationWidth}
        autoClose={notificationLifetime}
        transitionDuration={fadeDuration}
        zIndex={layers.notification}
        notificationMaxHeight="60vh"
        limit={50}
        className={isCrowded ? `${classes.area} ${classes.crowded}` : (classes.area ?? '')}
        renderNotification={notification => notification.message}
      />
      {isCrowded && (
        <Portal>
          <Button className={classes.closeAll} size="compact-sm" variant="default" onClick={notify.closeAll}>
            {t('notify.close_all')}
          </Button>
        </Portal>
      )}
    </>
  )
}
