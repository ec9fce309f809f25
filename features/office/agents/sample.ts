// Plausible made-up people and companies, the same for the same seed. No real one is meant.
import type { Random } from '#kit/random.ts'

const SURNAMES = [
  ...'王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚',
]
const GIVEN = [
  ...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红建国志文辉力永健世广义兴良海山仁波宁贵福生元全胜学祥才发武新利清飞彬富顺信子浩凯然瑶佳欣怡雪婷晨宇轩梓涵思雨',
]
export const BRANDS = [
  ...'福禄寿喜金玉满堂春华秋实悦来聚德隆盛和泰安康乐鑫源丰茂百味香溢宝恒润祥瑞嘉美佳优品鲜果甜蜜花漾小城故事老街巷口南北东西湖山海云',
]

export function personName(random: Random): string {
  return random.pick(SURNAMES) + random.pick(GIVEN) + (random.chance(0.6) ? random.pick(GIVEN) : '')
}

export function companyName(random: Random, city: string): string {
  return `${city}${random.pick(BRANDS)}${random.pick(BRANDS)}${random.pick(['科技', '信息技术', '软件', '商贸', '网络'])}有限公司`
}
