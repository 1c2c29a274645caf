import type { ShownMotd } from '@emma/contract/actions/guidance.ts'
import { ActionIcon } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconExclamationCircle,
  IconInfoCircle,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CleanHtml } from './clean-html.tsx'
import { inLanguage } from './in-language.ts'
import classes from './motd-banner.module.css'

const icons = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  danger: IconExclamationCircle,
}

type BannerMessage = Pick<
  ShownMotd,
  'type' | 'title_en' | 'title_de' | 'title_es' | 'html_en' | 'html_de' | 'html_es'
>

interface MotdBannerProps {
  message: BannerMessage
  /** Language of the texts; the user's by default. */
  language?: string
  /** Framed within a page, instead of full width. */
  isFramed?: boolean
  onDismiss?: () => void
}

/** A message of the day as a banner, in the color of its type. */
export function MotdBanner({ message, language, isFramed, onDismiss }: MotdBannerProps): ReactNode {
  const { t, i18n } = useTranslation()
  const lang = language ?? i18n.resolvedLanguage
  const type = message.type ?? 'info'
  const Icon = icons[type]
  const title = inLanguage(message, 'title', lang)
  const Banner = isFramed ? 'div' : 'section'
  return (
    <Banner
      className={classes.banner}
      data-type={type}
      data-framed={isFramed || undefined}
      // A preview inside a form is not a landmark.
      role={isFramed ? 'group' : undefined}
      aria-label={title}
    >
      <Icon className={classes.icon} size={18} stroke={1.7} aria-hidden />
      <div className={classes.body}>
        <strong>{title}</strong>
        <CleanHtml html={inLanguage(message, 'html', lang)} isSmall />
      </div>
      {onDismiss && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('messages.dismiss', { title })}
          onClick={onDismiss}
        >
          <IconX size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </Banner>
  )
}
