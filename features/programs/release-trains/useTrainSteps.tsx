import { useMutation } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { releaseTrainsApi, type TrainData } from './releaseTrainsApi.tsx'

type Train = Pick<TrainData, 'id' | 'name' | 'version'>

/** What staff do to a release under way; what cannot be taken back is asked for first. */
export function useTrainSteps() {
  const step = useMutation({
    mutationFn: ({ work }: { work: () => Promise<unknown>; done: string }) => work(),
    onSuccess: (_, { done }) => {
      toast.success(done)
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('releaseTrains')
    },
  })
  const run = (work: () => Promise<unknown>, done: string) => {
    if (!step.isPending) step.mutate({ work, done })
  }
  return {
    isBusy: step.isPending,
    pause: ({ id }: Train) => run(() => releaseTrainsApi.pause({ id }), '已暂停'),
    resume: ({ id }: Train) => run(() => releaseTrainsApi.resume({ id }), '已继续'),
    async stop({ id, name }: Train) {
      const agreed = await confirm({
        title: `终止「${name}」？`,
        text: '不再提交和发布其余小程序，已发布的保持不变，正在审核的由代理商自行处理。终止后不能继续。',
        confirmText: '终止任务',
        cancelText: '暂不终止',
        danger: true,
      })
      if (agreed) run(() => releaseTrainsApi.stop({ id }), '已终止')
    },
    async rollBack({ id, version }: Train, wave: number, released: number) {
      const agreed = await confirm({
        title: `回退第 ${wave} 批的 ${formatCount(released)} 家？`,
        text: `顾客将使用上一版本，线上的 ${version} 停用。任务同时暂停。没有上一版本的小程序保持不变。`,
        confirmText: '回退本批',
        danger: true,
      })
      if (agreed) run(() => releaseTrainsApi.rollBackWave({ id, wave }), '正在回退')
    },
  }
}
