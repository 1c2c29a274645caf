import { Anchor, Breadcrumbs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './files.module.css'

/** Breadcrumbs of a folder: `/news/autumn/`. */
export function FolderPath({
  folder,
  onOpen,
}: {
  folder: string
  onOpen: (folder: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const names = folder.split('/').filter(Boolean)
  return (
    <nav aria-label={t('content.files.path')} className={classes.crumbs}>
      <Breadcrumbs>
        {[t('content.files.root'), ...names].map((name, depth) => {
          const path = depth === 0 ? '/' : `/${names.slice(0, depth).join('/')}/`
          return depth === names.length ? (
            <span key={path} aria-current="page">
              {name}
            </span>
          ) : (
            <Anchor key={path} component="button" onClick={() => onOpen(path)}>
              {name}
            </Anchor>
          )
        })}
      </Breadcrumbs>
    </nav>
  )
}
