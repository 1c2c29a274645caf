import { ActionIcon, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page.module.css'

interface PageProps {
  title: string
  /** One line below the title: what the screen is for, or what the record's state is. */
  subtitle?: ReactNode
  /** The list a record belongs to. */
  back?: LinkProps['to']
  /** Buttons at the right; the primary one last. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its heading with buttons, and what it shows. */
export function Page({ title, subtitle, back, actions, children }: PageProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <header className={classes.head}>
        {back && (
          <ActionIcon component={Link} to={back} variant="default" size="md" aria-label={t('state.back')}>
            <IconArrowLeft size={16} stroke={1.8} />
          </ActionIcon>
        )}
        <div className={classes.title}>
          <Title order={1}>{title}</Title>
          {subtitle && (
            <Text size="sm" c="dimmed" component="div">
              {subtitle}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </>
  )
}
