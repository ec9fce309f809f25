import type { messages } from '#features/shops/messages/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { DrawerBody } from '#web/form/Drawer.tsx'
import { AudienceWords } from './AudienceWords.tsx'
import { CampaignProgress, GROUPS, type Row } from './CampaignProgress.tsx'
import { CampaignState } from './campaignCells.tsx'
import styles from './campaigns.module.css'
import { PhonePreview } from './PhonePreview.tsx'
import { countOf, refuseCancelling, refuseContinuing } from './rules.ts'
import { useCampaignSteps } from './useCampaignSteps.tsx'

type Props = {
  row: Row
  templates: Out<typeof messages.templates>
  onOpen: (campaign: number | 'new', copy?: number) => void
}

/** A campaign that was sent, or another agent's: what it says, to whom, and what became of it. */
export function CampaignFacts({ row, templates, onOpen }: Props) {
  const session = useSession()
  const maySend = usePermission('campaigns.send')
  const { cancel, goOn } = useCampaignSteps()
  const mayCancel = maySend && refuseCancelling(row.status) === null
  const mayGoOn = maySend && row.agentId === session.agentId && refuseContinuing(row) === null
  return (
    <>
      <DrawerBody>
        <div className={styles.campaignBody}>
          <div className={styles.campaignMain}>
            <section className={styles.campaignPart}>
              <h3>
                {row.name} <CampaignState row={row} />
              </h3>
              {row.problem && <p className={styles.campaignProblem}>{row.problem}</p>}
              {row.startedAt !== null && (
                <>
                  <CampaignProgress row={row} />
                  <dl className={styles.campaignStates}>
                    {GROUPS.map(({ key, name, states }) => (
                      <div key={key}>
                        <dt>{name}</dt>
                        <dd>{formatCount(countOf(row, states))}</dd>
                      </div>
                    ))}
                  </dl>
                </>
              )}
            </section>
            <section className={styles.campaignPart}>
              <h3>任务信息</h3>
              <Facts row={row} showAgent={session.isVendorStaff} />
            </section>
          </div>
          <div className={styles.campaignSide}>
            <PhonePreview
              signature={templates.signature}
              template={templates.rows.find(({ key }) => key === row.templateKey)}
              params={row.params}
              shopNames={[]}
            />
          </div>
        </div>
      </DrawerBody>
      {row.status !== 'draft' && (
        <footer className={styles.campaignBar}>
          <p />
          {mayCancel && (
            <Button changes onClick={() => void cancel(row)}>
              取消群发
            </Button>
          )}
          <Button kind={mayGoOn ? 'plain' : 'primary'} changes onClick={() => onOpen('new', row.id)}>
            复制为新群发
          </Button>
          {mayGoOn && (
            <Button kind="primary" onClick={() => void goOn(row)}>
              继续发送
            </Button>
          )}
        </footer>
      )}
    </>
  )
}

function Facts({ row, showAgent }: { row: Row; showAgent: boolean }) {
  const facts: [label: string, value: string][] = [
    ...(showAgent ? [['代理商', `${row.agentName}（${row.agentId}）`] as [string, string]] : []),
    ['短信模板', row.templateName || '未选择'],
    ['预计', expectedText(row)],
    ...(row.startedAt === null
      ? []
      : ([
          ['已生成短信', `${formatCount(row.queued)} 家商户`],
          ['不发送', `${formatCount(row.skipped)} 家（已禁用或账号不是手机号）`],
          ['已计费', `${formatCount(row.charged)} 条`],
        ] as [string, string][])),
    ['计划时间', row.scheduledAt ? formatInstant(row.scheduledAt) : '立即发送'],
    ['开始时间', row.startedAt ? formatInstant(row.startedAt) : '—'],
    ['结束时间', row.finishedAt ? formatInstant(row.finishedAt) : '—'],
    ['操作人', row.sentByName ?? row.createdByName],
    ['单据号', row.documentNo],
  ]
  return (
    <dl className={styles.campaignFigures}>
      <div>
        <dt>商户范围</dt>
        <dd>
          <AudienceWords audience={row.audience} />
        </dd>
      </div>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function expectedText({ expectedShops, expectedSegments }: Row): string {
  if (expectedShops === null || expectedSegments === null) return '—'
  return `${formatCount(expectedShops)} 家商户，${formatCount(expectedSegments)} 条`
}
