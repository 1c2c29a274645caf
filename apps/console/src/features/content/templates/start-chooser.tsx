import { queryKeys } from '@emma/client/query-keys.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { SOURCE_CHARACTERS } from '@emma/contract/actions/html-body.ts'
import { Alert, Button, FileButton, Group, UnstyledButton } from '@mantine/core'
import { IconFileImport, IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { holds, useSession } from '../../../shell/session/use-session.ts'
import { retryBusy } from '../../../shell/resource/retry-busy.ts'
import { builtInStarters } from './built-in-starters.ts'
import classes from '../content.module.css'
import { MailThumbnail } from './mail-thumbnail.tsx'
import { readTemplateFile } from './read-template-file.ts'
import type { Start } from './starters.ts'
import {
  type Imported,
  ImportFindings,
  importErrorText,
  mayImport,
  PageImport,
  startOf,
  useTemplateImport,
} from './template-import.tsx'

/** Lets the user choose the starting point of a new template: a built-in design, a minimal one, a design of the catalogue or a file. */
export function StartChooser({ onChoose }: { onChoose: (start: Start) => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="start-title">
      <h2 id="start-title" className={classes.startTitle}>
        {t('content.start.title')}
      </h2>
      <OtherStarts onChoose={onChoose} />
      <div className={classes.gallery}>
        {builtInStarters.map(({ id, start }) => (
          <UnstyledButton key={id} className={classes.card} onClick={() => onChoose(start)}>
            <StartThumbnail id={id} start={start} />
            <span className={classes.cardText}>
              <span className={classes.cardName}>{t(`content.start.${id}.name`)}</span>
              <span className={classes.cardNote}>{t(`content.start.${id}.text`)}</span>
            </span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  )
}

/** The catalogue, and a file from the user's computer. */
function OtherStarts({ onChoose }: { onChoose: (start: Start) => void }): ReactNode {
  const { t } = useTranslation()
  const session = useSession()
  const [fault, setFault] = useState<'too_large' | 'no_template' | null>(null)
  const [imported, setImported] = useState<Imported | null>(null)
  const archive = useTemplateImport()
  const choose = (found: Imported) => {
    if (found.warnings.length > 0) setImported(found)
    else onChoose(startOf(found))
  }
  const mayUseServer = mayImport(session)
  const open = async (file: File | null) => {
    if (file === null) return
    setFault(null)
    archive.reset()
    if (mayUseServer && /\.zip$/i.test(file.name)) return archive.mutate({ file }, { onSuccess: choose })
    if (mayUseServer && /\.json$/i.test(file.name) && file.size <= SOURCE_CHARACTERS)
      return archive.mutate({ html: await file.text() }, { onSuccess: choose })
    const read = await readTemplateFile(file)
    if ('fault' in read) setFault(read.fault)
    else onChoose(read.start)
  }
  return (
    <>
      <Group gap="sm" mb="md">
        {holds(session, { all: ['BeePluginCatalog:get'] }) && (
          <Button
            component={Link}
            to="/templates/catalog"
            variant="default"
            leftSection={<IconTemplate size={16} />}
          >
            {t('content.start.catalog')}
          </Button>
        )}
        <FileButton accept=".html,.htm,.mjml,.xml,.txt,.zip,.json" onChange={file => void open(file)}>
          {props => (
            <Button
              variant="default"
              leftSection={<IconFileImport size={16} />}
              loading={archive.isPending}
              {...props}
            >
              {t('content.start.file')}
            </Button>
          )}
        </FileButton>
        {mayUseServer && <PageImport onImport={choose} />}
      </Group>
      {(fault || archive.error) && (
        <Alert color="red" mb="md" role="alert">
          {fault ? t(`content.start.file_${fault}`) : importErrorText(archive.error)}
        </Alert>
      )}
      {imported && (
        <ImportFindings
          imported={imported}
          onOpen={() => onChoose(startOf(imported))}
          onClose={() => setImported(null)}
        />
      )}
    </>
  )
}

function StartThumbnail({ id, start }: { id: string; start: Start }): ReactNode {
  const { data } = useQuery({
    queryKey: queryKeys.action(renderUnsaved, { start: id }),
    queryFn: ({ signal }) =>
      api.call(renderUnsaved, { params: { id: 0, member_id: 0 }, body: start, signal }),
    staleTime: Infinity,
    ...retryBusy,
  })
  return <MailThumbnail html={data?.html ?? null} />
}
