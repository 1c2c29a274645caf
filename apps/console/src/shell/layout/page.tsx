import { PageHeader, type PageHeaderProps } from '@emma/ui/layout/page-header.tsx'
import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { lastSearchOf } from '../resource/last-search.ts'

/** A list; those of sending services are one for each. */
export type BackAddress = LinkProps['to'] | (string & {})

interface PageProps extends Omit<PageHeaderProps, 'back' | 'children'> {
  /** Address of the list a record belongs to. */
  back?: BackAddress
  /** Search parameters of the way back, where the list was not open before. */
  backSearch?: Record<string, unknown>
  /** Under the heading: tabs, a stepper. */
  below?: ReactNode
  children: ReactNode
}

/** A screen: its heading with the way back and its buttons, and what it shows. */
export function Page({ back, backSearch, below, children, ...head }: PageProps): ReactNode {
  const { t } = useTranslation()
  const backLink = back && (
    <ActionIcon
      renderRoot={props => <Link {...props} to={back} search={{ ...backSearch, ...lastSearchOf(back) }} />}
      variant="default"
      size="md"
      aria-label={t('state.back')}
    >
      <IconArrowLeft size={16} stroke={1.8} />
    </ActionIcon>
  )
  return (
    <>
      <PageHeader {...head} back={backLink}>
        {below}
      </PageHeader>
      {children}
    </>
  )
}
