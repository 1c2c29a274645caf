import { Button, Title } from '@mantine/core'
import { IconAlertTriangle, IconFlask, IconInbox, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useUiSettings } from '../ui-settings.tsx'
import { useTranslate } from '../i18n.tsx'
import classes from './states.module.css'

export interface EmptyStateProps {
  title: string
  /** One sentence on what to do. */
  text?: ReactNode
  icon?: ReactNode
  /** Usually one primary button. */
  action?: ReactNode
}

/** Empty state: says why there is nothing, and what to do. */
export function EmptyState({ title, text, icon, action }: EmptyStateProps): ReactNode {
  return (
    <div className={classes.state}>
      <div className={classes.icon}>{icon ?? <IconInbox size={22} stroke={1.5} aria-hidden />}</div>
      <Title order={2} size="h3">
        {title}
      </Title>
      {text && <div className={classes.text}>{text}</div>}
      {action && <div className={classes.actions}>{action}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  error: unknown
  onRetry?: (() => void) | undefined
  title?: string
}

/** Error state of a failed query, with the message and a retry button. */
export function ErrorState({ error, onRetry, title }: ErrorStateProps): ReactNode {
  const t = useTranslate()
  const { errorText } = useUiSettings()
  // A retry would not help.
  if (isNotInDemo(error))
    return (
      <div role="alert">
        <EmptyState icon={<IconFlask size={22} stroke={1.5} aria-hidden />} title={errorText(error)} />
      </div>
    )
  return (
    <div className={classes.state} role="alert">
      <div className={classes.icon}>
        <IconAlertTriangle size={22} stroke={1.5} aria-hidden />
      </div>
      <Title order={2} size="h3">
        {title ?? t('state.error_title')}
      </Title>
      <div className={classes.text}>{t('state.error_text')}</div>
      <p className={classes.message}>{errorText(error)}</p>
      {onRetry && (
        <div className={classes.actions}>
          <Button variant="default" onClick={onRetry}>
            {t('action.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

export interface ForbiddenStateProps {
  /** The missing permissions, e.g. `EmmaCampaign:get`. */
  permissions?: readonly string[]
  action?: ReactNode
}

/** Shown without the permission; names the missing ones. */
export function ForbiddenState({ permissions = [], action }: ForbiddenStateProps): ReactNode {
  const t = useTranslate()
  const text =
    permissions.length === 0
      ? t('state.forbidden_text_plain')
      : t('state.forbidden_text', { permissions: permissions.join(', ') })
  return (
    <div className={classes.state}>
      <div className={classes.icon}>
        <IconLock size={22} stroke={1.5} aria-hidden />
      </div>
      <Title order={2} size="h3">
        {t('state.forbidden_title')}
      </Title>
      <div className={classes.text}>{text}</div>
      {action && <div className={classes.actions}>{action}</div>}
    </div>
  )
}

/**
 * True if the call was rejected for a missing permission. Calls that the demo does not support are rejected for
 * everybody.
 */
export function isForbidden(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error)) return false
  return error.status === 403 && !isNotInDemo(error)
}

function isNotInDemo(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'not_in_demo'
}
