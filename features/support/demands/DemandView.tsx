import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { DemandFacts, DemandText } from './DemandFacts.tsx'
import styles from './demands.module.css'
import { type DemandDetails, demandsApi, formSearch, useRemoval } from './demandsApi.tsx'
import { FORM_PATH, refuseUnmerge, UNMERGE_REFUSALS } from './rules.ts'

/** A demand as it stands, for who may not change it, or where it is deleted or merged. */
export function DemandView({ demand }: { demand: DemandDetails }) {
  const removal = useRemoval()
  return (
    <section className={styles.form} aria-labelledby="demand-title">
      <h1 id="demand-title" className={look.pageTitle}>
        {demand.title}
      </h1>
      {demand.mergedIntoId !== null && (
        <p className={styles.note}>
          已合并到{' '}
          <Link className={look.inText} to={FORM_PATH} search={formSearch(demand.mergedIntoId)}>
            #{demand.mergedIntoId}
          </Link>
          ，不能再修改。
          <Unmerge demand={demand} />
        </p>
      )}
      {demand.deletedAt !== null && (
        <p className={styles.note}>
          {demand.deletedByName} 于 <Instant at={demand.deletedAt} toMinute /> 删除，30 天内可以恢复。{' '}
          <Permit permission="demands.remove">
            <Button kind="primary" onClick={() => removal.restore({ id: demand.id })}>
              恢复
            </Button>
          </Permit>
        </p>
      )}
      <DemandFacts demand={demand} />
      <h2 className={look.sectionTitle}>备注</h2>
      <DemandText demand={demand} />
    </section>
  )
}

/** While it can be, a merge is undone. */
function Unmerge({ demand }: { demand: DemandDetails }) {
  const refusal = refuseUnmerge(demand, Date.now())
  const unmerge = useMutation({
    mutationFn: () => demandsApi.unmerge({ id: demand.id }),
    onSuccess: () => toast.success('已撤销合并'),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('demands') : reread()),
  })
  return (
    <Permit permission="demands.edit">
      <span className={look.quiet}>
        {demand.mergedByName} <Instant at={demand.mergedAt} toMinute />
      </span>{' '}
      <Button
        changes
        busy={unmerge.isPending}
        disabled={refusal && UNMERGE_REFUSALS[refusal]}
        onClick={() => unmerge.mutate()}
      >
        撤销合并
      </Button>
    </Permit>
  )
}
