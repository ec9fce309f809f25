import { useQuery } from '@tanstack/react-query'
import { PictureDifference } from '#features/print/print-templates/PictureDifference.tsx'
import type { Draft } from '#kit/print/edit/draft.ts'
import type { Label } from '#kit/print/label.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { LabelPicture } from './LabelPicture.tsx'
import styles from './labels.module.css'
import { labelsApi } from './labelsApi.tsx'
import type { Base } from './useSave.tsx'

type Props = {
  id: number
  mine: Draft
  /** Mine takes the place of theirs, or theirs that of mine; either way the other one can be undone to. */
  onMine: (theirs: Base) => void
  onTheirs: (theirs: Base) => void
  onClose: () => void
}

/** Somebody else saved since: both versions beside each other, and which of them is to stand. */
export default function StaleDialog({ id, mine, onMine, onTheirs, onClose }: Props) {
  const { data, isError, error, refetch, isFetchedAfterMount } = useQuery({
    ...labelsApi.details.query({ id }),
    refetchOnMount: 'always',
  })
  const theirs = data && isFetchedAfterMount ? data : null
  const base: Base | null = theirs && {
    revision: theirs.revision,
    initial: { name: theirs.name, industryIds: theirs.industryIds, label: theirs.content as Label },
  }
  return (
    <Dialog
      title="该模板已被他人修改"
      width={760}
      dirty={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>继续编辑</Button>
          <Button disabled={!base} onClick={() => base && onTheirs(base)}>
            放弃我的修改
          </Button>
          <Button kind="primary" disabled={!base} onClick={() => base && onMine(base)}>
            以我的覆盖
          </Button>
        </>
      }
    >
      {isError ? (
        <DialogText>
          <LoadFailure error={error} onRetry={() => void refetch()} />
        </DialogText>
      ) : !theirs || !base ? (
        <DialogText>
          <LoadingLines lines={6} />
        </DialogText>
      ) : (
        <DialogText>
          <div className={styles.stale}>
            <p>
              {theirs.updatedByName} 已于 <Instant at={theirs.updatedAt} />{' '}
              保存了新的修改。选择哪一个都可以用「撤销」找回另一个。
            </p>
            {base.initial.name !== mine.name && (
              <p>
                对方的名称：{base.initial.name}；我的名称：{mine.name}
              </p>
            )}
            {[...base.initial.industryIds].sort().join() !== [...mine.industryIds].sort().join() && (
              <p>两个版本的适用行业不同</p>
            )}
            <PictureDifference
              first="both"
              picture={content => <LabelPicture label={content as Label} name="标签" />}
              old={{ title: '对方版本', content: base.initial.label }}
              now={{ title: '我的版本', content: mine.label }}
              beside={null}
            />
          </div>
        </DialogText>
      )}
    </Dialog>
  )
}
