import time
def test_try(bench, worlds):
    home = bench.write(worlds.office())
    for f in (["ACL-01"],["ACL-02"],["ACL-05"],["ACL-08"],["ACL-11"],["ACL-16"],["ACL-18"],["CAC-01"],["CIT-01"],["LOG-01"],["RNK-01"],["RNK-03"],["SID-02"],["CTL-01"],["CTL-08"]):
        t=time.perf_counter()
        r = bench.run(home, f)
        fam=r.families
        print(f, r.exit_code, [(x.planned,x.held,x.violated,x.unobserved,x.failed,x.not_applicable, dict(x.reasons)) for x in fam.values()], round(time.perf_counter()-t,2), r.record.decision.reasons)
