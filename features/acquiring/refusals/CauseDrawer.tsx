import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { CAUSE_FIELDS as FIELDS } from './fields.ts'
import styles from './refusals.module.css'
import { type Cause, refusalsApi } from './refusalsApi.tsx'
import { LIMITS, REFUSED_BY } from './rules.ts'
import { Correction } from './slots.tsx'

const AdviceDialog = lazy(() => import('./AdviceDialog.tsx'))

/** One cause over the list: what is advised, and the shops that have to mend it. */
export default function CauseDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery(refusalsApi.details.query({ id }))
  return (
    <Drawer title="驳回原因" onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={8} />
        ) : (
          <Shown cause={data.data} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

function Shown({ cause }: { cause: Cause }) {
  const [advising, setAdvising] = useState(false)
  const { shops } = cause
  return (
    <div className={styles.body}>
      <header>
        <b>{cause.reason}</b>
        <p className={look.quiet}>
          {cause.label} · {REFUSED_BY[cause.refusedBy]}
        </p>
      </header>
      <Facts>
        <Fact label={FIELDS.waiting.label}>{cause.waiting} 家</Fact>
        <Fact label={FIELDS.times.label}>{cause.times} 次</Fact>
        <Fact label={FIELDS.firstAt.label}>
          <Instant at={cause.firstAt} />
        </Fact>
        <Fact label={FIELDS.lastAt.label}>
          <Instant at={cause.lastAt} />
        </Fact>
      </Facts>
      <section className={styles.section} aria-label={FIELDS.advice.label}>
        <h2>{FIELDS.advice.label}</h2>
        {cause.advice === '' ? (
          <p className={look.quiet}>还没有写建议。写下后，代理商修改申请时会在该项下看到。</p>
        ) : (
          <p className={styles.advice}>{cause.advice}</p>
        )}
        {cause.advisedAt !== null && (
          <p className={look.quiet}>
            {cause.advisedByName} <Instant at={cause.advisedAt} />
          </p>
        )}
        <Permit permission="refusals.advise">
          <Button changes onClick={() => setAdvising(true)}>
            {cause.advice === '' ? '写建议' : '修改建议'}
          </Button>
        </Permit>
      </section>
      <section className={styles.section} aria-label="待更正的店铺">
        <h2>待更正的店铺</h2>
        {shops.length === 0 ? (
          <p className={look.quiet}>没有店铺等待更正</p>
        ) : (
          <>
            <Correction field={cause.field} shops={shops} />
            <ul className={styles.shops}>
              {shops.map(shop => (
                <li key={`${shop.applicationId} ${shop.refusedAt}`}>
                  <Link to="/admin/schedule/payApplication" search={{ id: shop.applicationId }}>
                    {shop.shopName}
                  </Link>
                  <span className={look.quiet}>
                    {shop.agentName} · <Instant at={shop.refusedAt} />
                  </span>
                </li>
              ))}
            </ul>
            {shops.length === LIMITS.shops && (
              <p className={look.quiet}>只显示等待最久的 {LIMITS.shops} 家</p>
            )}
          </>
        )}
      </section>
      <Suspense>{advising && <AdviceDialog cause={cause} onClose={() => setAdvising(false)} />}</Suspense>
    </div>
  )
}
