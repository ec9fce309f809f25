import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import type { CategoryBegins } from './CategoryDialog.tsx'
import { CHANGE_TONES } from './fields.ts'
import styles from './profile.module.css'
import { type ChangeData, programProfileApi as from, type ProfileData } from './programProfileApi.tsx'
import { isOfCategory } from './rules.ts'

const WORDS = { reviewing: '审核中', refused: '未通过', passed: '已通过' } as const

type Props = {
  data: ProfileData
  change: ChangeData | null
  /** Why none can be changed now; null: they can. */
  refusal: string | null
  onOpen: ((begins: CategoryBegins) => void) | undefined
}

/** Categories as they stand at the platform: one that was refused is corrected, one that is not used is taken away. */
export default function Categories({ data: { id, categories, proposed }, change, refusal, onOpen }: Props) {
  const removal = useMutation({
    mutationFn: (second: number) => from.removeCategory({ id, second }),
    onSuccess: () => {
      toast.success('已提交删除')
      return reread()
    },
    onError: error => toast.warning(messageOf(error)),
  })
  async function remove({ second, name }: ProfileData['categories'][number]) {
    const sure = await confirm({
      title: `删除类目「${name}」？`,
      text: '小程序不再属于该类目，计入本月修改次数；重新添加须再次提交资质并审核。',
      confirmText: '删除',
      danger: true,
    })
    if (sure) removal.mutate(second)
  }
  return (
    <ul className={styles.categories}>
      {categories.map(one => {
        const { second, name, state, reason, removalRefusal } = one
        const ours = change !== null && isOfCategory(change, one) ? change : null
        return (
          <li key={second} className={styles.change}>
            <StatusTag tone={CHANGE_TONES[state]}>{WORDS[state]}</StatusTag>
            <span>
              {ours?.value ?? name}
              {reason !== '' && <span className={styles.reason}>{reason}</span>}
            </span>
            {onOpen && (
              <span className={styles.deeds}>
                {state === 'refused' && (
                  <Button
                    changes
                    kind="link"
                    disabled={refusal ?? undefined}
                    onClick={() =>
                      onOpen(ours ? { ...proposed, reason } : { ...NO_PAPERS, categoryId: second, reason })
                    }
                  >
                    修改后重新提交
                  </Button>
                )}
                {removalRefusal === null && (
                  <Button
                    changes
                    kind="link"
                    aria-label={`删除类目「${name}」`}
                    busy={removal.isPending && removal.variables === second}
                    onClick={() => void remove(one)}
                  >
                    删除
                  </Button>
                )}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
const NO_PAPERS = { alternative: 0, certificates: [] }
