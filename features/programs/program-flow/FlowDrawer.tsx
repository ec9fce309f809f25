import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { ShopHead } from '#features/programs/program-applications/ShopHead.tsx'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { FLOW_FIELDS as FIELDS } from './fields.ts'
import styles from './flow.module.css'
import { type FlowData, programFlowApi } from './programFlowApi.tsx'
import { FLOW_STATES, LAUNCH_STANDINGS, LAUNCH_STEPS, REAL_NAMES, TURNS } from './rules.ts'
import { ProfileSection, VersionSection } from './slots.tsx'
import { useFlowStep } from './useFlowStep.tsx'

const OwnerLinkDialog = lazy(() => import('./OwnerLinkDialog.tsx'))
const RemarkDialog = lazy(() => import('./RemarkDialog.tsx'))
const LOOK_EVERY_MS = 2_000
/** While its owner is before the camera. */
const LOOK_SLOWLY_MS = 5_000

function lookAgainMs(data: FlowData | undefined): number | false {
  if (data?.isAsking || data?.state === 'creating') return LOOK_EVERY_MS
  return data?.state === 'faceCheck' && LOOK_SLOWLY_MS
}

/** One mini program over the list: where it stands, what comes next, what was authorised, and what the platform answered. */
export default function FlowDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const data = useQuery({
    ...programFlowApi.details.query({ id }),
    refetchInterval: ({ state: { data } }) => lookAgainMs(data),
  })
  return (
    <Drawer title="小程序进度" wide onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={12} />
        ) : (
          <Shown data={data.data} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

function Shown({ data }: { data: FlowData }) {
  const { id, state, next, message, isAsking } = data
  const [opened, setOpened] = useState<'remark' | 'ownerLink' | null>(null)
  const close = () => setOpened(null)
  const { take, isBusy } = useFlowStep()
  const history = useHistory()
  const { action } = next
  const isLive = data.deletedAt === null
  return (
    <div className={styles.body}>
      <ShopHead data={data} />
      <section className={styles.next} aria-label="下一步">
        <StatusTag tone={FIELDS.state.tones[state]}>{FLOW_STATES[state]}</StatusTag>
        <span>
          {next.waits}
          {next.turn && `（${TURNS[next.turn]}）`}
        </span>
        {message !== '' && (
          <p className={styles.message} role="status">
            {message}
          </p>
        )}
        {isAsking && <p role="status">正在等待微信答复…</p>}
      </section>
      <div className={styles.steps}>
        {isLive && (
          <Permit permission="programFlow.edit">
            {action && (
              <Button changes kind="primary" busy={isBusy || isAsking} onClick={() => take(id, action)}>
                {next.label}
              </Button>
            )}
            {data.mayLook && action !== 'look' && (
              <Button changes busy={isBusy || isAsking} onClick={() => take(id, 'look')}>
                重新读取
              </Button>
            )}
            {data.mayAuthorize && action !== 'authorize' && (
              <Button changes busy={isBusy} onClick={() => take(id, 'authorize')}>
                重新授权
              </Button>
            )}
            {data.mayAuthorize && (
              <Button changes onClick={() => setOpened('ownerLink')}>
                发给客户授权
              </Button>
            )}
            {state !== 'review' && (
              <Button changes kind="quiet" onClick={() => setOpened('remark')}>
                修改备注
              </Button>
            )}
          </Permit>
        )}
        <Permit permission="programApplications.list">
          <Link to="/admin/schedule/appApplication" search={{ id }}>
            查看申请
          </Link>
        </Permit>
        {history
          .actionsOf({ kind: 'programApplication', id, name: data.shopName })
          .map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" onClick={onClick}>
              {label}
            </Button>
          ))}
      </div>
      <ProfileSection id={id} />
      <VersionSection id={id} />
      <LaunchSteps data={data} />
      <Basics data={data} />
      {data.authorizedAt !== null && <Scopes data={data} />}
      <Answers data={data} />
      <Suspense>
        {opened === 'remark' && <RemarkDialog data={data} onClose={close} />}
        {opened === 'ownerLink' && <OwnerLinkDialog id={id} onClose={close} />}
      </Suspense>
      {history.drawer}
    </div>
  )
}

const LAUNCH_TONES = { done: 'done', waiting: 'attention', unknown: 'neutral' } as const

/** What the owner needs from the platform and the authorities before a release, and where. */
function LaunchSteps({ data: { launchSteps } }: { data: FlowData }) {
  if (launchSteps.length === 0) return null
  return (
    <section className={styles.part} aria-label="发布前须完成">
      <h2>发布前须完成</h2>
      <ul className={styles.list}>
        {launchSteps.map(({ key, standing, waits, turn }) => (
          <li key={key}>
            <StatusTag tone={LAUNCH_TONES[standing]}>{LAUNCH_STANDINGS[standing]}</StatusTag>
            <span>
              {LAUNCH_STEPS[key]}
              {waits !== '' && `：${waits}（${TURNS[turn]}）`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Basics({ data }: { data: FlowData }) {
  const { basicInfo } = data
  return (
    <section className={styles.part} aria-label="基本信息">
      <h2>基本信息</h2>
      <Facts>
        <Fact label={FIELDS.programName.label}>{basicInfo?.nickName.value || data.programName}</Fact>
        <Fact label={FIELDS.appid.label}>{data.appid}</Fact>
        <Fact label="主体">{basicInfo?.principalName ?? data.companyName}</Fact>
        {basicInfo && <Fact label={FIELDS.realName.label}>{REAL_NAMES[basicInfo.realName]}</Fact>}
        <Fact label="读取时间">{data.basicInfoAt && <Instant at={data.basicInfoAt} />}</Fact>
        <Fact label="提交创建">{data.handedInAt && <Instant at={data.handedInAt} />}</Fact>
        <Fact label="最近查询">{data.askedAt && <Instant at={data.askedAt} />}</Fact>
        <Fact label={FIELDS.remark.label}>{data.remark}</Fact>
      </Facts>
    </section>
  )
}

/** The eight scopes, and what each that is missing keeps from working. */
function Scopes({ data }: { data: FlowData }) {
  return (
    <section className={styles.part} aria-label="授权列表">
      <h2>授权列表</h2>
      <ul className={styles.list}>
        {data.scopes.map(({ id, label, without, isNeeded, isGiven }) => (
          <li key={id}>
            <StatusTag tone={isGiven ? 'done' : isNeeded ? 'problem' : 'neutral'}>
              {isGiven ? '已授权' : '未授权'}
            </StatusTag>
            <span>
              {label}
              {!isGiven && <span className={styles.quiet}>：{without}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Answers({ data: { answers } }: { data: FlowData }) {
  return (
    <section className={styles.part} aria-label="进度日志">
      <h2>进度日志</h2>
      {answers.length === 0 ? (
        <p className={styles.quiet}>还没有向微信提交或查询</p>
      ) : (
        <ol className={styles.list}>
          {answers.map(({ id, at, title, code, words, advice, isTrouble }) => (
            <li key={id}>
              <StatusTag tone={isTrouble ? 'problem' : 'done'}>{title}</StatusTag>
              <span>
                <Instant at={at} /> {words}
                {advice !== '' && `。${advice}`}
                {isTrouble && code !== '' && <span className={styles.quiet}>（{code}）</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
