package demo

import (
	"fmt"
	"strings"
)

// region is where people come from, with their names: in their own script and in Latin letters.
type region struct {
	state, city, pin string
	college          string
	given, family    []string // "अदिती Aditi"; without a script of its own only "Savio"
}

var regions = []region{
	{"Maharashtra", "Nagpur", "4400", "Orange City College of Commerce", []string{"अदिती Aditi", "रोहन Rohan", "स्नेहा Sneha", "ओंकार Omkar", "प्राजक्ता Prajakta"}, []string{"देशमुख Deshmukh", "कुलकर्णी Kulkarni", "जाधव Jadhav", "पाटील Patil"}},
	{"Uttar Pradesh", "Kanpur", "2080", "Ganga Institute of Technology", []string{"आकाश Aakash", "शिवानी Shivani", "प्रियांशु Priyanshu", "काजल Kajal", "अमन Aman"}, []string{"यादव Yadav", "मिश्रा Mishra", "श्रीवास्तव Srivastava", "वर्मा Verma"}},
	{"Tamil Nadu", "Madurai", "6250", "Vaigai Arts and Science College", []string{"கவிதா Kavitha", "முருகன் Murugan", "தமிழ்செல்வி Tamilselvi", "அருண் Arun", "நிலா Nila"}, []string{"சுப்பிரமணியன் Subramanian", "செல்வராஜ் Selvaraj", "பாண்டியன் Pandian", "ராமசாமி Ramasamy"}},
	{"Karnataka", "Mysuru", "5700", "Sarovara College of Engineering", []string{"ಅನನ್ಯಾ Ananya", "ಚೇತನ್ Chethan", "ದೀಪಾ Deepa", "ಮಂಜುನಾಥ್ Manjunath", "ಸಹನಾ Sahana"}, []string{"ಹೆಗಡೆ Hegde", "ಗೌಡ Gowda", "ಶೆಟ್ಟಿ Shetty", "ರಾವ್ Rao"}},
	{"Kerala", "Kozhikode", "6730", "Malabar Coast College", []string{"അഞ്ജലി Anjali", "വിഷ്ണു Vishnu", "ഫാത്തിമ Fathima", "നിതിൻ Nithin", "മീര Meera"}, []string{"നായർ Nair", "തോമസ് Thomas", "കുര്യൻ Kurian", "മേനോൻ Menon"}},
	{"Telangana", "Warangal", "5060", "Kakatiya Lake College", []string{"శ్రావ్య Sravya", "కార్తీక్ Karthik", "లక్ష్మి Lakshmi", "సాయి Sai", "హారిక Harika"}, []string{"రెడ్డి Reddy", "చౌదరి Chowdary", "గౌడ్ Goud", "శర్మ Sharma"}},
	{"West Bengal", "Siliguri", "7340", "Teesta Valley College", []string{"রিয়া Riya", "সৌরভ Sourav", "মৌমিতা Moumita", "অনির্বাণ Anirban", "তনুশ্রী Tanushree"}, []string{"চট্টোপাধ্যায় Chattopadhyay", "ঘোষ Ghosh", "সরকার Sarkar", "মণ্ডল Mondal"}},
	{"Gujarat", "Rajkot", "3600", "Saurashtra Commerce College", []string{"ધ્રુવ Dhruv", "હેતલ Hetal", "જીનલ Jinal", "મિહિર Mihir", "પૂજા Pooja"}, []string{"પટેલ Patel", "શાહ Shah", "ત્રિવેદી Trivedi", "સોલંકી Solanki"}},
	{"Punjab", "Ludhiana", "1410", "Sutlej Polytechnic", []string{"ਹਰਪ੍ਰੀਤ Harpreet", "ਗੁਰਲੀਨ Gurleen", "ਜਸਵਿੰਦਰ Jaswinder", "ਸਿਮਰਨ Simran", "ਅਮਨਦੀਪ Amandeep"}, []string{"ਸਿੰਘ Singh", "ਕੌਰ Kaur", "ਸੰਧੂ Sandhu", "ਗਿੱਲ Gill"}},
	{"Odisha", "Cuttack", "7530", "Mahanadi Degree College", []string{"ସୁଭଶ୍ରୀ Subhashree", "ବିକାଶ Bikash", "ମମତା Mamata", "ସୌମ୍ୟ Soumya", "ଦେବାଶିଷ Debasish"}, []string{"ପଟ୍ଟନାୟକ Pattanaik", "ଦାସ Das", "ସାହୁ Sahu", "ମହାନ୍ତି Mohanty"}},
	{"Assam", "Guwahati", "7810", "Brahmaputra College", []string{"মৃদুল Mridul", "পল্লৱী Pallabi", "নয়নমণি Nayanmoni", "ভাস্কৰ Bhaskar", "ৰিতু Ritu"}, []string{"বৰুৱা Barua", "শইকীয়া Saikia", "গগৈ Gogoi", "ডেকা Deka"}},
	{"Delhi", "Delhi", "1100", "Yamuna Evening College", []string{"عائشہ Ayesha", "سلمان Salman", "زینب Zainab", "عمر Umar", "مہوش Mehwish"}, []string{"خان Khan", "صدیقی Siddiqui", "انصاری Ansari", "قریشی Qureshi"}},
	{"Goa", "Panaji", "4030", "Mandovi College", []string{"Savio", "Melisha", "Joaquim", "Ananta", "Clara"}, []string{"Fernandes", "Naik", "D'Souza", "Gaonkar"}},
	{"Mizoram", "Aizawl", "7960", "Tlawng Hills College", []string{"Lalrinpuii", "Zothanpuia", "Malsawmi", "Vanlalruata", "Lalhmingmawii"}, []string{"Ralte", "Hmar", "Chhangte", "Sailo"}},
}

// spelled returns a name in its own script and in Latin letters.
func spelled(name string) (own, latin string) {
	words := strings.Fields(name)
	return words[0], words[len(words)-1]
}

// newPerson invents somebody. One in four types the name in the script of the region.
func (d *demo) newPerson() *person {
	d.people++
	from := regions[d.people%len(regions)]
	given, givenLatin := spelled(pick(d, from.given))
	family, familyLatin := spelled(pick(d, from.family))
	p := &person{
		demo: d, region: from, name: givenLatin + " " + familyLatin, father: pick(d, []string{"Suresh", "Ramesh", "Abdul", "Mohan", "Thomas", "Prakash"}) + " " + familyLatin,
		phone: fmt.Sprintf("90000%05d", 100+d.people),
		email: strings.ToLower(strings.ReplaceAll(fmt.Sprintf("%s.%s%d@example.com", givenLatin, familyLatin, d.people), "'", "")),
	}
	if d.people%4 == 0 {
		p.name = given + " " + family
	}
	p.openBrowser()
	return p
}
