import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import styles from './help.module.css'
import { type HelpArticle, helpApi } from './helpApi.tsx'
import { HELP_LIMITS, refuseVote, VOTE_REFUSALS } from './rules.ts'

/** Was it useful: one vote for each account, which can be changed, and a word to it. */
export function UsefulVote({ article: { id, vote } }: { article: HelpArticle }) {
  const [comment, setComment] = useState(vote?.comment ?? '')
  const commentId = useId()
  const cast = useMutation({
    mutationFn: (useful: boolean) => helpApi.vote({ id, useful, comment: comment.trim() }),
    onSuccess: () => toast.success('感谢您的评价'),
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
  })
  const refusal = refuseVote(comment)
  const press = (useful: boolean) => {
    if (!cast.isPending && refusal === null) cast.mutate(useful)
  }
  return (
    <section className={styles.vote} aria-label="评价">
      <fieldset className={styles.voteRow}>
        <legend>这篇文章有用吗？</legend>
        <button type="button" aria-pressed={vote?.useful === true} onClick={() => press(true)}>
          有用
        </button>
        <button type="button" aria-pressed={vote?.useful === false} onClick={() => press(false)}>
          没用
        </button>
      </fieldset>
      {vote && (
        <div className={styles.voteComment}>
          <label htmlFor={commentId}>{vote.useful ? '还想补充什么（选填）' : '哪里没有说清楚（选填）'}</label>
          <textarea
            id={commentId}
            className={look.input}
            rows={2}
            maxLength={HELP_LIMITS.comment}
            value={comment}
            onChange={event => setComment(event.target.value)}
          />
          <Button
            disabled={refusal && VOTE_REFUSALS[refusal]}
            busy={cast.isPending}
            onClick={() => press(vote.useful)}
          >
            提交补充
          </Button>
        </div>
      )}
    </section>
  )
}
