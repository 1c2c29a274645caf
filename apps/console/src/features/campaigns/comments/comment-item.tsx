import { campaignComment } from '@emma/contract/resources/campaign-comment.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { patchRecord, removeRecord } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { useSession } from '../../../shell/session/use-session.ts'
import { CommentForm } from './comment-form.tsx'
import classes from './comments.module.css'
import type { Comment } from './use-comments.ts'

/** A comment with its actions: everybody resolves it, its author edits and deletes it. */
export function CommentItem({ comment }: { comment: Comment }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { mayChange, mayDelete } = useRights(campaignComment)
  const isOwn = useSession().claims?.sub.id === comment.created_by
  const [isEditing, setEditing] = useState(false)
  const { comment_id: id, revision, author, text, created_at, is_resolved: isResolved } = comment
  const label = (action: string) => t(`campaigns.comments.${action}`)

  async function remove(): Promise<void> {
    const question = {
      title: label('delete_title'),
      text: label('delete_text'),
      confirmLabel: label('delete'),
      danger: true,
    }
    if (await confirm(question)) await removeRecord(campaignComment, id).catch(showError)
  }

  return (
    <li className={classes.comment} data-resolved={isResolved || undefined}>
      <div className={classes.head}>
        <span className={classes.author}>{author || label('nobody')}</span>
        <time className={classes.time} dateTime={created_at}>
          {format.dateTime(created_at)}
        </time>
        {isResolved && <span className={classes.time}>{label('resolved')}</span>}
      </div>
      {isEditing ? (
        <CommentForm
          label={label('edit')}
          submitLabel={label('save')}
          initial={text}
          onCancel={() => setEditing(false)}
          onSubmit={async changed => {
            await patchRecord(campaignComment, id, { text: changed }, revision)
            setEditing(false)
          }}
        />
      ) : (
        <>
          <p className={classes.text}>{text}</p>
          <Group gap={4}>
            {mayChange && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() =>
                  void patchRecord(campaignComment, id, { is_resolved: !isResolved }, revision).catch(
                    showError,
                  )
                }
              >
                {label(isResolved ? 'reopen' : 'resolve')}
              </Button>
            )}
            {mayChange && isOwn && (
              <Button size="compact-xs" variant="subtle" onClick={() => setEditing(true)}>
                {label('edit')}
              </Button>
            )}
            {mayDelete && isOwn && (
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => void remove()}>
                {label('delete')}
              </Button>
            )}
          </Group>
        </>
      )}
    </li>
  )
}
