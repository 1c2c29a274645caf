import { PageHeader, type PageHeaderProps } from '@emma/ui/layout/page-header.tsx'
import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { lastSearchOf } from '../resource/last-search.ts'

/** Path of a list; sending services have one list each, hence also a string. */
export type BackAddress = LinkProps['to'] | (string & {})

interface PageProps extends Omit<PageHeaderProps, 'back' | 'children'> {
  /** Path of the list that the record belongs to. */
  back?: BackAddress
  /** Search parameters of the back link if the list has not been opened before. */
  backSearch?: Record<string, unknown>
  /** Content below the heading: tabs, a stepper. */
  below?: ReactNode
  children: ReactNode
}

/** Layout of a screen: heading with back link and buttons, and the content. */
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
