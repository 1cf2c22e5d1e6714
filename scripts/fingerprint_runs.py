"""The runs whose results `fingerprint.py` hashes."""

from __future__ import annotations

EVERYTHING = "plate,confidence,background,foreground,mask,matte,cleaned,basis,model"
"""What is saved where a run does not say."""

SCENES = {
    # Films and samples, over more frames than the methods below get: start, shake, light, cut, rank, depth, formats.
    "still": "{still} --format mkv --set warm_up=20",
    "still-two-passes": "{still} --passes 2 --frames 5:44 --format tiff",
    "still-mp4": "{still} --format mp4 --roi 9,7,77,61",
    "still-matte": "{still} --set shadows=off --set sensitivity=70 --set holes=0 --size 96x72",
    "shaken": "{shaken} --format mkv",
    "shaken-two-passes-grey": "{shaken} --grey --passes 2 --frames 1:40",
    "shaken-opgd": "{shaken} --method opgd --frames 1:30 --size 80x60 --format mkv",
    "lit": "{lit} --format mkv --set warm_up=15 --set park=25",
    "lit-grey": "{lit} --grey --format tiff --set memory=40 --set learn_every=2 --set sample=1024",
    "street": "sample:street --frames 1:200 --roi 60,60,200,150 --format mkv --set warm_up=60 --set park=60",
    "street-small": "sample:street --frames 100:159 --size 160x120 --seed 3",
    "street-grey": "sample:street --frames 1:60 --roi 60,90,160,120 --grey --passes 2 --format mkv",
    "street-preset": "sample:street --preset street --frames 200:240 --size 160x120 --save mask,plate,cleaned,model",
    "street-trees": "sample:street --preset trees --frames 1:40 --roi 0,0,160,120 --format mkv",
    "street-rank": "sample:street --frames 1:120 --size 160x120 --set rank=6 --set auto_rank=on --set warm_up=30"
    " --format mkv",
    "stack": "{stack} --format tiff",
    "stack-microscopy": "{stack} --preset microscopy --passes 2",
    "stack-film": "{stack} --roi 5,3,60,48 --format mkv --set warm_up=10 --set memory=30",
    "deep-photos": "{deep} --set warm_up=6",
    "deep-photos-opgd": "{deep} --method opgd --set lam=0.05 --format tiff",
    "photos-two-passes": "{photos} --passes 2",
    "photos-corrupt-laplace": "{photos} --corrupt laplace:0.3:40 --seed 2",
    "photos-corrupt-uniform": "{photos} --corrupt uniform:0.1:100:200 --method oadmm --passes 2",
    "photos-grey-truncated": "{photos} --grey --method truncated-cauchy --set iterations=20 --set rank=2",
    # What was learnt, applied to other frames.
    "street-applied": "sample:street --frames 300:330 --size 160x120 --model {out}/street-small/model.npz --format mkv",
    "still-applied": "{still} --frames 20:40 --model {out}/still/model.npz",
    # Faces, spoiled and clean, and the extensions of the papers' methods.
    "faces": "sample:faces --frames 1:60 --preset faces",
    "faces-robust-nmf": "sample:faces --frames 1:60 --method robust-nmf --corrupt salt-and-pepper:0.2 --set rank=8",
    "faces-wnmf": "sample:faces --frames 1:60 --method wnmf --corrupt salt-and-pepper:0.3 --set missing=white",
    "faces-robust-nmf+wnmf": "sample:faces --frames 1:40 --method robust-nmf+wnmf --corrupt salt-and-pepper:0.1"
    " --set lone_pixels=on",
    "faces-occluded": "sample:faces --frames 1:60 --method opgd --passes 2 --corrupt occlusion:0.1 --set rank=20",
    "faces-auto-rank": "sample:faces --frames 1:60 --method opgd --set auto_rank=on --set rank=16",
    "faces-auto-rank-oadmm": "sample:faces --frames 1:60 --method oadmm --set auto_rank=on --set rank=12",
    "faces-simplex": "sample:faces --frames 1:40 --method opgd --set dictionary_set=simplex --set h_penalty=lasso"
    " --set r_penalty=ridge",
    "faces-elastic-net": "sample:faces --frames 1:40 --method oadmm --set dictionary_set=elastic-net"
    " --set h_penalty=sparse-group --set w_lasso=0.01",
    "faces-groups": "sample:faces --frames 1:40 --method opgd --set dictionary_set=orthant --set h_penalty=group"
    " --set r_penalty=group --set w_ridge=0.1",
    "faces-brighter": "sample:faces --frames 1:40 --method oadmm --set brighter_only=on --set h_penalty=ridge",
    "faces-ol-l2": "sample:faces --frames 1:60 --method ol-l2 --corrupt occlusion:0.15 --set rank=8",
    "faces-applied": "sample:faces --frames 80:90 --model {out}/faces-robust-nmf+wnmf/model.npz",
    # Real data.
    "data-highway": "{data}/sequences/highway/input --frames 470:520 --set warm_up=20 --format mkv",
    "data-fall": "{data}/sequences/fall/input --frames 101:130 --preset trees --size 240x160 --save mask,plate,model",
    "data-foliage": "{data}/sequences/foliage/input --frames 1:60 --grey --passes 2 --save mask,plate,matte,confidence",
    "data-pedestrians": "{data}/video/pedestrians_480x360.mp4 --frames 31:80 --roi 100,60,320,240 --format mkv",
    "data-brain": "{data}/stacks/brain_u16 --roi 100,100,160,128 --preset microscopy",
    "data-orl": "{data}/faces/orl --method onmfo --frames 1:50 --size 46x56 --save basis,cleaned,model,mask",
}  # fmt: skip
"""Runs by their names: the words after `cleanplate run`. Names in braces are inputs made by `fingerprint_inputs`, the
folder of real data, and that of the results: a run that names ``{out}/OTHER/…`` waits for OTHER."""

ONLINE = [
    "opgd", "oadmm", "onmfo", "ol-is", "ol-kl", "ol-l2sq", "ol-huber", "ol-l1", "ol-l2", "ol-alpha", "ol-beta",
    "ol-ab", "ol-gamma", "onmf", "orpca", "ol-wang", "ol-wang2", "ol-lef", "median", "mog2", "knn",
]  # fmt: skip
"""Methods that all get the same short run on colour photographs, like those of `BATCH`."""

BATCH = [
    "bpgd", "badmm", "rnmf-mu", "b-is", "b-kl", "b-l2sq", "b-huber", "b-l1", "b-l2", "b-alpha", "b-beta",
    "b-ab", "b-gamma", "l2", "l1", "l21", "capped", "hypersurface", "huber", "cim", "cauchy", "truncated-cauchy",
    "rnmf-l1", "wnmf",
]  # fmt: skip
"""Those that learn from a set of frames, here in few iterations and at a rank at which they cannot learn it by heart.
`robust-nmf` is none of them, as it may take for ever on scenes that stand still: it has faces."""

APPLIED = [
    "oadmm", "onmfo", "bpgd", "ol-huber", "b-is", "onmf", "orpca", "ol-wang", "ol-wang2", "ol-lef", "cauchy",
    "rnmf-l1", "wnmf", "median", "mog2", "knn",
]  # fmt: skip
"""Those whose model is applied too: one of each kind of state."""

RUNS = {
    **{f"photos-{key}": f"{{photos}} --method {key} --frames 1:20" for key in ONLINE},
    **{f"photos-{key}": f"{{photos}} --method {key} --frames 1:20 --set iterations=8 --set rank=3" for key in BATCH},
    **{f"applied-{key}": f"{{photos}} --model {{out}}/photos-{key}/model.npz --frames 15:24" for key in APPLIED},
    **SCENES,
}
"""Every run, in the order in which they start: behind the one that it waits for."""
