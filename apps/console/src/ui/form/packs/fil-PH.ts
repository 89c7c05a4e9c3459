import english from 'antd/es/locale/en_US.js';
import { adaptPack } from './adapt-pack.ts';

export default adaptPack(english, 'fil', {
  choose: 'Pumili',
  empty: 'Walang laman',
  ok: 'OK',
  cancel: 'Kanselahin',
  close: 'Isara',
  show: 'Ipakita',
  hide: 'Itago',
  clear: 'Burahin',
  today: 'Ngayong araw',
  now: 'Ngayon',
  backToToday: 'Bumalik sa ngayong araw',
  week: 'Linggo',
  month: 'Buwan',
  year: 'Taon',
  date: 'Pumili ng petsa',
  dates: ['Simula', 'Katapusan'],
  time: 'Pumili ng oras',
  times: ['Simula', 'Katapusan'],
  chooseWeek: 'Pumili ng linggo',
  chooseMonth: 'Pumili ng buwan',
  chooseYear: 'Pumili ng taon',
  chooseDecade: 'Pumili ng dekada',
  before: {
    month: 'Nakaraang buwan',
    year: 'Nakaraang taon',
    decade: 'Nakaraang dekada',
    century: 'Nakaraang siglo',
  },
  after: {
    month: 'Susunod na buwan',
    year: 'Susunod na taon',
    decade: 'Susunod na dekada',
    century: 'Susunod na siglo',
  },
});
