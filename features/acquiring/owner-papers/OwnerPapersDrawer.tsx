import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { ownerPapers } from './contract.ts'
import { HandedIn } from './HandedIn.tsx'
import { OwnerLink } from './OwnerLink.tsx'
import styles from './owner-desk.module.css'
import { ownerPapersApi } from './ownerPapersApi.tsx'
import { OWNER_PAPERS_STATES, takes } from './rules.ts'

type Props = {
  merchantId: number
  /** What came was taken over. */
  onTaken?: (() => void) | undefined
  onClose: () => void
}

/** The link for a shop's owner, and what came by it. */
export default function OwnerPapersDrawer({ merchantId, onTaken, onClose }: Props) {
  const data = useQuery(ownerPapersApi.ofShop.query({ merchantId }))
  return (
    <Drawer title="店主资料" wide onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={10} />
        ) : (
          <Shown merchantId={merchantId} data={data.data} onTaken={onTaken} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

type Data = Out<typeof ownerPapers.ofShop>

function Shown({ merchantId, data, onTaken }: Pick<Props, 'merchantId' | 'onTaken'> & { data: Data }) {
  const { standing, history } = data
  // While the owner has his turn, his link comes before what he handed in. With keys, so that a link that was just made stays shown.
  const isHis = standing !== null && standing.endedAt === null && takes(standing.state, 'submit')
  const parts = [
    ...(standing?.submittedAt ? [<HandedIn key={standing.id} data={standing} onTaken={onTaken} />] : []),
    <Permit key="link" permission="ownerPapers.invite">
      <OwnerLink merchantId={merchantId} data={data} />
    </Permit>,
  ]
  return (
    <div className={styles.body}>
      {isHis ? parts.toReversed() : parts}
      {history.length > 0 && (
        <section aria-label="链接记录">
          <h3>链接记录</h3>
          <ol className={styles.history}>
            {history.map(({ id, state, createdByName, createdAt, endedByName, endedAt }) => (
              <li key={id}>
                {createdByName} 生成于 <Instant at={createdAt} />
                {endedAt === null ? (
                  <span className={look.quiet}>，{OWNER_PAPERS_STATES[state]}</span>
                ) : (
                  <>
                    ，{endedByName} 作废或更换于 <Instant at={endedAt} />
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}
