// What places are called beside their names in the table: short names of cities, districts that are gone and what they have become part of,
// development zones and the district in which they have their seat. Pure.
import { cleanLine } from '#kit/words/cleaned.ts'
import type { NamedDivision } from './rules.ts'

const CITIES: Readonly<Record<string, readonly string[]>> = {
  '1301': ['石市'],
  '1501': ['呼市'],
  '1502': ['包市'],
  '1507': ['呼盟'],
  '1508': ['巴盟'],
  '1509': ['乌盟'],
  '1525': ['锡盟'],
  '1529': ['阿盟'],
  '2301': ['哈市'],
  '2302': ['齐市'],
  '5328': ['版纳'],
  '6501': ['乌市'],
}

/** By the district of today: those that became part of it. */
const GONE: Readonly<Record<string, readonly string[]>> = {
  '110101': ['崇文区'],
  '110102': ['宣武区'],
  '120116': ['塘沽区', '汉沽区', '大港区'],
  '130602': ['新市区'],
  '130606': ['北市区', '南市区'],
  '140213': ['城区'],
  '140214': ['矿区'],
  '140403': ['城区', '郊区'],
  '210112': ['东陵区'],
  '210113': ['新城子区'],
  '230104': ['太平区'],
  '230110': ['动力区'],
  '310101': ['卢湾区'],
  '310106': ['闸北区'],
  '310115': ['南汇区'],
  '320104': ['白下区'],
  '320106': ['下关区'],
  '320213': ['崇安区', '南长区', '北塘区'],
  '320412': ['戚墅堰区'],
  '320508': ['沧浪区', '平江区', '金阊区'],
  '320613': ['港闸区'],
  '320812': ['清河区', '清浦区'],
  '321003': ['维扬区'],
  '330102': ['江干区'],
  '330105': ['下城区'],
  '330212': ['江东区'],
  '340209': ['三山区'],
  '350203': ['开元区', '鼓浪屿区'],
  '350404': ['梅列区'],
  '370116': ['莱城区'],
  '370203': ['四方区'],
  '410308': ['吉利区'],
  '440103': ['芳村区'],
  '440104': ['东山区'],
  '440112': ['萝岗区'],
  '500110': ['万盛区'],
  '500111': ['双桥区'],
  '650109': ['东山区'],
}

/** By the district of their seat. Zones whose areas lie apart in several districts are none of these: which one is meant, nobody can say. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  '110115': ['经济技术开发区', '经开区', '亦庄经济开发区', '亦庄开发区'],
  '120116': ['经济技术开发区', '开发区', '经开区', '东疆保税港区'],
  '210112': ['高新技术产业开发区', '高新区'],
  '210213': ['金普新区', '经济技术开发区', '开发区'],
  '320411': ['高新技术产业开发区', '高新区'],
  '320412': ['经济开发区', '经开区'],
  '320505': ['高新技术产业开发区', '高新区'],
  '320506': ['工业园区'],
  '330114': ['经济技术开发区', '经开区', '下沙开发区', '大江东产业集聚区'],
  '330212': ['高新技术产业开发区', '高新区'],
  '330282': ['杭州湾新区'],
  '340102': ['新站高新技术产业开发区', '新站高新区', '新站区'],
  '340104': ['高新技术产业开发区', '高新区', '经济技术开发区', '经开区'],
  '370211': ['西海岸新区', '经济技术开发区', '开发区'],
  '410102': ['高新技术产业开发区', '高新区'],
  '410104': ['经济技术开发区', '经开区'],
  '410105': ['郑东新区'],
  '420111': ['东湖新技术开发区', '东湖高新区', '光谷'],
  '430104': ['高新技术产业开发区', '高新区'],
  '440112': ['开发区', '经济技术开发区'],
  '440307': ['大鹏新区'],
  '440309': ['龙华新区'],
  '440310': ['坪山新区'],
  '440311': ['光明新区'],
  '440402': ['横琴新区', '横琴粤澳深度合作区'],
  '510116': ['天府新区'],
  '530111': ['经济技术开发区', '经开区'],
  '610112': ['经济技术开发区', '经开区'],
  '610113': ['高新技术产业开发区', '高新区', '曲江新区'],
  '620121': ['兰州新区'],
}

/** Other names of a city or a district, by its four or six digits. */
export function alsoCalled(code: string): readonly string[] {
  return [...(CITIES[code] ?? []), ...(GONE[code] ?? []), ...(ZONES[code] ?? [])]
}

/** Whether a place, told with those above it, is meant by what is typed: 东莞, 内蒙古 呼市, 苏州工业园区. */
export function isCalled(typed: string, path: readonly NamedDivision[]): boolean {
  const names = path.map(({ code, name }) => [name, ...alsoCalled(code)])
  const written = names.flat().join('')
  return cleanLine(typed)
    .split(/[\s/\u3000]+/)
    .filter(part => part !== '')
    .every(part => written.includes(part) || isRun(part, names))
}

/** A few letters of each name, one name after another: 内蒙古呼市. */
function isRun(text: string, [names, ...below]: readonly (readonly string[])[]): boolean {
  if (text === '') return true
  if (!names) return false
  const follows = (name: string) => {
    let length = 0
    while (length < name.length && text[length] === name[length]) length++
    for (let taken = length; taken >= 2; taken--) if (isRun(text.slice(taken), below)) return true
    return false
  }
  return names.some(follows) || isRun(text, below)
}

/** For the test, which asks that each is offered. */
export const ALSO_CALLED_CODES: readonly string[] = [CITIES, GONE, ZONES].flatMap(Object.keys)
