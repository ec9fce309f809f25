import { useEffect, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { idAsked, useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { readAgain } from '#web/client/reread.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { TRAIN_SHOPS } from './fields.ts'
import { releaseTrainsApi, type TrainShopRow } from './releaseTrainsApi.tsx'
import { isEnded } from './rules.ts'
import { NoTrain } from './TrainPage.tsx'

const REFRESH_MS = 3_000

/** The mini programs of one release, of all its waves or of one. `?id=` in its address names it. */
export default function TrainShopsPage() {
  const [{ id: asked, wave: askedWave }, ask] = usePageSearch<'/admin/schedule/releaseTrainShops'>()
  const navigate = useNavigate()
  const id = idAsked(asked)
  const wave = idAsked(askedWave)
  const [isMoving, setMoving] = useState(false)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') readAgain('releaseTrains.shops')
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isMoving])
  if (id === null)
    return (
      <article className={look.page}>
        <NoTrain title={TRAIN_SHOPS.title} />
      </article>
    )
  const open = ({ applicationId }: TrainShopRow) =>
    void navigate({ to: '/admin/schedule/AppletFlow', search: { id: applicationId } })
  return (
    <List
      of={TRAIN_SHOPS}
      asking={{ id, ...(wave === null ? {} : { wave }) }}
      from={async input => {
        const answer = await releaseTrainsApi.shops({ ...input, id, ...(wave === null ? {} : { wave }) })
        setMoving(answer.rows.some(({ state }) => !isEnded(state)))
        return answer
      }}
      options={{ agentId: AGENT_OPTIONS }}
      cells={{ agentName: AGENT_CELL }}
      main={
        <Link className={buttonLook()} to="/admin/schedule/releaseTrain" search={{ id }}>
          查看进度
        </Link>
      }
      summary={() =>
        wave !== null && (
          <CountsBar>
            只显示第 <b>{wave}</b> 批{' '}
            <Button kind="link" onClick={() => ask({ wave: undefined })}>
              显示全部批次
            </Button>
          </CountsBar>
        )
      }
      onOpen={open}
      rowActions={row => [{ key: 'open', label: '小程序进度', reads: true, onClick: () => open(row) }]}
      actionsWidth={104}
    />
  )
}
