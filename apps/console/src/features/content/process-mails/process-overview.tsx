import { languages } from '@emma/contract/resources/client.ts'
import { isOptional, isPage, type Process, processes } from '@emma/contract/resources/pmt.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import classes from './process-overview.module.css'
import { defaultOf, useOwnDefaults } from './use-own-defaults.ts'

const groups = {
  emails: processes.filter(process => !isPage(process)),
  pages: processes.filter(isPage),
}

/** Table of the text in use by process and language; each cell opens it. */
export function ProcessOverview(): ReactNode {
  const { t } = useTranslation()
  const { data: defaults, error } = useOwnDefaults()
  // The list below shows the error.
  if (error) return null
  return (
    <div className={classes.overview}>
      <Card title={t('content.pmt.overview')} isFlush>
        {defaults === undefined ? (
          <BlockSkeleton height={380} />
        ) : (
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t('content.pmt.fields.process')}</th>
                  {languages.map(lang => (
                    <th key={lang} scope="col">
                      {t(`content.languages.${lang}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              {(['emails', 'pages'] as const).map(group => (
                <tbody key={group}>
                  <tr>
                    <th colSpan={4} scope="rowgroup" className={classes.group}>
                      {t(`content.pmt.groups.${group}`)}
                    </th>
                  </tr>
                  {groups[group].map(process => (
                    <tr key={process}>
                      <th scope="row">{t(`content.pmt.processes.${process}`)}</th>
                      {languages.map(lang => (
                        <td key={lang}>
                          <TextInUse
                            process={process}
                            lang={lang}
                            own={defaultOf(defaults, { process, lang })}
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        )}
      </Card>
    </div>
  )
}

interface TextInUseProps {
  process: Process
  lang: (typeof languages)[number]
  own: { pmt_id: number; active: boolean } | undefined
}

/** Link to the own text, or to a new one that begins with the shipped text. */
function TextInUse({ process, lang, own }: TextInUseProps): ReactNode {
  const { t } = useTranslation()
  const { mayCreate } = useRights(pmt)
  const of = `${t(`content.pmt.processes.${process}`)}, ${t(`content.languages.${lang}`)}`
  const state = stateOf(process, own)
  const badge = <StatusBadge tone={tones[state]}>{t(`content.pmt.states.${state}`)}</StatusBadge>
  if (!own && !mayCreate) return badge
  return (
    <Link
      className={classes.link}
      to="/settings/pmtemplates/edit/$id"
      params={{ id: own ? String(own.pmt_id) : 'new' }}
      search={own ? {} : { process, lang }}
      aria-label={`${of}: ${t(`content.pmt.states.${state}`)}`}
    >
      {badge}
    </Link>
  )
}

const tones = { own: 'positive', inactive: 'caution', shipped: 'info', off: 'neutral' } as const

function stateOf(process: Process, own: TextInUseProps['own']): keyof typeof tones {
  if (!own) return isOptional(process) ? 'off' : 'shipped'
  return own.active ? 'own' : 'inactive'
}
