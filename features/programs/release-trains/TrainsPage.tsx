import { useEffect, useState } from 'react'
import { useNavigate } from '#web/client/navigation.ts'
import { readAgain } from '#web/client/reread.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { List } from '#web/list/List.tsx'
import { TRAINS } from './fields.ts'
import { releaseTrainsApi, type TrainRow } from './releaseTrainsApi.tsx'

/** How often figures that move are read anew. */
const REFRESH_MS = 3_000

/** Releases of a version to many mini programs. */
export default function TrainsPage() {
  const navigate = useNavigate()
  const [isMoving, setMoving] = useState(false)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') readAgain('releaseTrains.list')
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isMoving])
  const open = ({ id }: TrainRow) => void navigate({ to: '/admin/schedule/releaseTrain', search: { id } })
  const main = (
    <Permit permission="releaseTrains.run">
      <Link className={buttonLook('primary')} to="/admin/schedule/newReleaseTrain">
        新建分批发布
      </Link>
    </Permit>
  )
  return (
    <List
      of={TRAINS}
      from={async asked => {
        const answer = await releaseTrainsApi.list(asked)
        setMoving(answer.rows.some(({ state }) => state === 'running'))
        return answer
      }}
      main={main}
      emptyAction={main}
      onOpen={open}
      rowActions={row => [{ key: 'open', label: '查看进度', reads: true, onClick: () => open(row) }]}
      actionsWidth={88}
    />
  )
}
