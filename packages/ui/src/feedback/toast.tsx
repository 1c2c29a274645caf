import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'
import type { NotificationKind } from './notification-lifetime.ts'
import classes from './toast.module.css'

export interface ToastAction {
  label: string
  run: () => void
}

export interface ToastProps {
  kind: NotificationKind
  title?: ReactNode
  message: ReactNode
  action?: ToastAction | undefined
  onClose: () => void
}

const icons = {
  success: IconCircleCheck,
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  danger: IconCircleX,
} as const

/** Content of one notification. */
export function Toast({ kind, title, message, action, onClose }: ToastProps): ReactNode {
  const t = useTranslate()
  const Icon = icons[kind]
  return (
    <div className={classes.toast} data-kind={kind}>
      <Icon className={classes.icon} size={20} stroke={1.75} aria-hidden />
      <div className={classes.body}>
        {title && <div className={classes.title}>{title}</div>}
        <div className={classes.message}>{message}</div>
        {action && (
          <Button
            className={classes.action}
            size="compact-sm"
            variant="default"
            onClick={() => {
              onClose()
              action.run()
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <CloseButton size="sm" aria-label={t('notify.close')} onClick={onClose} />
    </div>
  )
}
